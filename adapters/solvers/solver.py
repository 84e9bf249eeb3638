"""Description of a solver: its capabilities, its program and its library."""

from __future__ import annotations

from enum import StrEnum

from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.solvers import command_templates
from boardsat.base.dataclass import dataclass


class InputFormat(StrEnum):
    """Format of the file that a solver reads, by its name in solver files (key `reads`)."""

    CNF = "formula"
    PROGRAM = "program"
    """Logic program."""
    BOARD = "board"
    """Header of a formula file, whose comments describe the board."""
    WCNF = "wcnf"
    OPB = "opb"


class Capability(StrEnum):
    """Task that a solver can do, or input that it also reads (key `can` of solver files)."""

    DECIDE = "decide"
    COUNT = "count"
    ESTIMATE = "estimate"
    """Count models approximately: within a factor, with a probability (PAC guarantee)."""
    WEIGH = "weigh"
    """Count exactly if literals have weights, in addition to COUNT."""
    PROVE = "prove"
    CHECK = "check"
    """Check proofs of other solvers."""
    XOR = "xor"
    """Read formulas with XOR lines, in addition to clauses."""
    OPTIMISE = "optimise"
    """Find a model of least cost and prove that it is optimal."""
    SAMPLE = "sample"
    """Draw models uniformly at random."""
    ALMOST_SAMPLE = "almost-sample"
    """Draw models almost uniformly: each with a probability within a factor of 1 / N."""


class RuntimeName(StrEnum):
    """Runtime of solvers, in order of preference."""

    DOCKER = "docker"
    NATIVE = "native"
    EMBEDDED = "embedded"


AUTO = "auto"
"""Value of --runtime that selects the first runtime that can run the solver."""


@dataclass(frozen=True)
class SolverProgram:
    """Program of a solver, on PATH or in an image.

    Command lines are Jinja2 templates with the program and the variables of a task.
    """

    name: str
    """Name on PATH and in the image."""
    command: str = ""
    """Template of the command line; empty if the program is not run."""
    version_command: str = ""
    """Template of the command that prints the version; empty if no command prints it."""
    image: str = ""
    """Folder in docker/ that the image is built from; empty without an image."""


@dataclass(frozen=True)
class SolverLibrary:
    """Python library of a solver, which runs in a worker process.

    Command lines are Jinja2 templates whose first word is a worker. A template is empty if the
    library does not support the task.
    """

    package: str
    """Package that must be installed; its version is that of the library."""
    name: str = ""
    """Name of the solver within a package of several solvers."""
    command: str = ""
    """Template of the command line of a worker in workers/."""
    cuts_command: str = ""
    """Template of the arguments of lazy_cuts/incremental_solver.py, which finds and adds cuts."""
    sampling_command: str = ""
    """Template of the command line of a sampler in samplers/."""
    additions: str = ""
    """Methods and other solvers that the worker uses besides the library; part of the version.
    Empty if the library alone gives the answer."""


@dataclass(frozen=True)
class Solver:
    """Solver, counter, sampler or proof checker, as its YAML file describes it."""

    name: str
    title: str
    output_format: str
    """Name of the output parser (key `dialect` of solver files)."""
    capabilities: frozenset[Capability]
    input_format: InputFormat = InputFormat.CNF
    projection: str = "ind"
    """Comment that passes the projection: `c ind` before the header, or `c project` after it."""
    problems: frozenset[str] = frozenset()
    """Problems of the catalogue that the solver supports; empty for all."""
    proof_formats: tuple[ProofFormat, ...] = ()
    """Proof formats that the solver writes or checks; the first one is the default."""
    trial_seconds: int = 0
    """CPU time limit in seconds for automatic counter and sampler selection; 0 excludes the
    solver from the selection."""
    uniformity_factor: int = 0
    """Maximum factor between the probability of a model and 1 / N; 0 if not almost uniform."""
    program: SolverProgram | None = None
    library: SolverLibrary | None = None

    @property
    def is_counter(self) -> bool:
        return bool(self.capabilities & {Capability.COUNT, Capability.ESTIMATE})

    @property
    def is_sampler(self) -> bool:
        return bool(self.capabilities & {Capability.SAMPLE, Capability.ALMOST_SAMPLE})

    def supports_problem(self, problem: str) -> bool:
        """Return True if the solver supports a problem of the catalogue; "" is any other input."""
        return not self.problems or problem in self.problems

    @property
    def image(self) -> str:
        """Folder in docker/ that the image is built from; empty without an image."""
        return self.program.image if self.program else ""

    @property
    def package(self) -> str:
        """Python package of the library; empty without a library."""
        return self.library.package if self.library else ""

    @property
    def additions(self) -> str:
        """Methods and solvers used besides the library; empty if the library works alone."""
        return self.library.additions if self.library else ""

    @property
    def adds_cuts(self) -> bool:
        """True if the library solves lazy formulas in one process."""
        return bool(self.library and self.library.cuts_command)

    @property
    def runtimes(self) -> tuple[RuntimeName, ...]:
        """Runtimes that the solver file provides for; this machine may lack them."""
        program, library = self.program, self.library
        provided = {
            RuntimeName.DOCKER: program and program.image,
            RuntimeName.NATIVE: program and program.command,
            RuntimeName.EMBEDDED: library and (library.command or library.sampling_command),
        }
        return tuple(name for name, entry in provided.items() if entry)

    def takes_seed(self, runtime: str) -> bool:
        """Return True if all command lines in a runtime have a variable for the seed."""
        library = self.library
        if runtime == RuntimeName.EMBEDDED:
            templates = [library.command, library.cuts_command] if library else []
        else:
            templates = [self.program.command] if self.program else []
        return all("seed" in command_templates.variable_names(text) for text in templates if text)

    def command_line(self, **variables: object) -> tuple[str, ...]:
        """Return the command line of the program; empty without a program."""
        return self._render(self.program.command if self.program else "", variables)

    def version_line(self) -> tuple[str, ...] | None:
        """Return the command line that prints the version; None if no command prints it."""
        template = self.program.version_command if self.program else ""
        return self._render(template, {}) if template else None

    def embedded_line(self, **variables: object) -> tuple[str, ...]:
        """Return the worker and its arguments; empty without a worker."""
        return self._render(self.library.command if self.library else "", variables)

    def incremental_line(self, **variables: object) -> tuple[str, ...]:
        """Return the arguments of the worker that adds cuts; empty if cuts are not supported."""
        return self._render(self.library.cuts_command if self.library else "", variables)

    def sampling_line(self, **variables: object) -> tuple[str, ...]:
        """Return the sampler and its arguments; empty without a sampler."""
        return self._render(self.library.sampling_command if self.library else "", variables)

    def _render(self, template: str, variables: dict[str, object]) -> tuple[str, ...]:
        names = {
            "program": self.program.name if self.program else "",
            "library": self.library.name if self.library else "",
        }
        return command_templates.render(template, {**names, **variables})

"""Description of a solver: its capabilities, its program and its library."""

from __future__ import annotations

from enum import StrEnum

from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.solvers import command_templates
from boardsat.base.dataclass import dataclass


class InputFormat(StrEnum):
    """Format of the file that a solver is given."""

    CNF = "formula"
    PROGRAM = "program"
    """Logic program."""
    BOARD = "board"
    """Comments of a file, which describe the board."""
    WCNF = "wcnf"
    OPB = "opb"


class Capability(StrEnum):
    """Task that a solver can do, or kind of input that it also reads."""

    DECIDE = "decide"
    COUNT = "count"
    ESTIMATE = "estimate"
    """Count within a factor, with some confidence."""
    WEIGH = "weigh"
    """Count exactly where literals have weights, in addition to COUNT."""
    PROVE = "prove"
    CHECK = "check"
    """Check proofs of other solvers."""
    XOR = "xor"
    """Read formulas with XOR lines, in addition to clauses."""
    OPTIMISE = "optimise"
    """Find the best model, and know that it is."""
    SAMPLE = "sample"
    """Draw models uniformly at random."""
    ALMOST_SAMPLE = "almost-sample"
    """Draw models at random, each within a factor of its uniform probability."""


class RuntimeName(StrEnum):
    """Runtime of a solver, in the order in which they are tried."""

    DOCKER = "docker"
    NATIVE = "native"
    EMBEDDED = "embedded"


AUTO = "auto"
"""Value of --runtime for the first runtime that can run the solver."""


@dataclass(frozen=True)
class SolverProgram:
    """Program of a solver, on PATH or in an image.

    Command lines are Jinja2 templates with the program and the words of a task.
    """

    name: str
    """Name on PATH and in the image."""
    command: str = ""
    """Template of the command line; empty if the program is not run."""
    version_command: str = ""
    """Template of the command that prints the version; empty if there is none."""
    image: str = ""
    """Folder in docker/ that the image is built from; empty if there is none."""


@dataclass(frozen=True)
class SolverLibrary:
    """Python library of a solver, which runs in a worker process.

    Command lines are Jinja2 templates whose first word is a worker. A template is empty if the
    library does not do the task.
    """

    package: str
    """Package that must be installed, and has the version of the library."""
    name: str = ""
    """Name of the solver within a package that has several."""
    command: str = ""
    """Template of the command line of a worker in workers."""
    cuts_command: str = ""
    """Template of the arguments of lazy_cuts/incremental.py, which finds and adds cuts."""
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
    """Name of the parser of its output (`dialect` in the file)."""
    capabilities: frozenset[Capability]
    input_format: InputFormat = InputFormat.CNF
    projection: str = "ind"
    """Comment that passes the projection: `c ind`, or `c project` after the header."""
    problems: frozenset[str] = frozenset()
    """Problems of the catalogue that the solver is for; empty for all."""
    proof_formats: tuple[ProofFormat, ...] = ()
    """Formats of proofs that the solver writes or checks; the first is its usual one."""
    trial_seconds: int = 0
    """CPU time limit in seconds for automatic counter and sampler selection; 0 excludes the
    solver from it."""
    uniformity_factor: int = 0
    """Factor between the probability of a drawn model and the uniform one; 0 if there is none."""
    program: SolverProgram | None = None
    library: SolverLibrary | None = None

    @property
    def counts(self) -> bool:
        return bool(self.capabilities & {Capability.COUNT, Capability.ESTIMATE})

    @property
    def samples(self) -> bool:
        return bool(self.capabilities & {Capability.SAMPLE, Capability.ALMOST_SAMPLE})

    def is_for(self, problem: str) -> bool:
        """Return whether it solves a problem of the catalogue; an empty name is any other input."""
        return not self.problems or problem in self.problems

    @property
    def image(self) -> str:
        """Folder in docker/ that its image is built from; empty if there is none."""
        return self.program.image if self.program else ""

    @property
    def package(self) -> str:
        """Python package of the library; empty if there is none."""
        return self.library.package if self.library else ""

    @property
    def additions(self) -> str:
        """Methods and solvers that its library uses besides itself; empty if there are none."""
        return self.library.additions if self.library else ""

    @property
    def adds_cuts(self) -> bool:
        """Return whether its library solves lazy formulas in one process."""
        return bool(self.library and self.library.cuts_command)

    @property
    def runtimes(self) -> tuple[RuntimeName, ...]:
        """Runtimes that its file provides for; they may be missing on this machine."""
        program, library = self.program, self.library
        provided = {
            RuntimeName.DOCKER: program and program.image,
            RuntimeName.NATIVE: program and program.command,
            RuntimeName.EMBEDDED: library and (library.command or library.sampling_command),
        }
        return tuple(name for name, entry in provided.items() if entry)

    def takes_seed(self, runtime: str) -> bool:
        """Return whether its command lines in a runtime have a place for a seed."""
        library = self.library
        if runtime == RuntimeName.EMBEDDED:
            lines = [library.command, library.cuts_command] if library else []
        else:
            lines = [self.program.command] if self.program else []
        return all("seed" in command_templates.variable_names(line) for line in lines if line)

    def command_line(self, **variables: object) -> tuple[str, ...]:
        """Return the command line of the program; empty if there is none."""
        return self._render(self.program.command if self.program else "", variables)

    def version_line(self) -> tuple[str, ...] | None:
        """Return the command line that prints the version; None if there is none."""
        line = self.program.version_command if self.program else ""
        return self._render(line, {}) if line else None

    def embedded_line(self, **variables: object) -> tuple[str, ...]:
        """Return the worker and its arguments; empty if there is none."""
        return self._render(self.library.command if self.library else "", variables)

    def incremental_line(self, **variables: object) -> tuple[str, ...]:
        """Return the arguments of the worker that adds cuts; empty if there is none."""
        return self._render(self.library.cuts_command if self.library else "", variables)

    def sampling_line(self, **variables: object) -> tuple[str, ...]:
        """Return the sampler and its arguments; empty if there is none."""
        return self._render(self.library.sampling_command if self.library else "", variables)

    def _render(self, template: str, variables: dict[str, object]) -> tuple[str, ...]:
        names = {
            "program": self.program.name if self.program else "",
            "library": self.library.name if self.library else "",
        }
        return command_templates.render(template, {**names, **variables})

"""Runtimes of solvers: containers, programs on PATH, and libraries in child processes.

A runtime is a module with the functions of the protocol `Runtime`. Runtimes are tried in the order
of RUNTIME_NAMES.
"""

from __future__ import annotations

import importlib
import os
from dataclasses import field
from typing import TYPE_CHECKING, Protocol, cast

from boardsat.adapters.answer import TerminationReason, Usage
from boardsat.adapters.counters import Accuracy
from boardsat.adapters.proofs import ProofFile
from boardsat.adapters.solvers.solver import AUTO, RuntimeName
from boardsat.base.dataclass import dataclass
from boardsat.base.errors import BoardsatError, SolverError
from boardsat.base.text import suggest

# Only type checkers need these; importing them takes time.
if TYPE_CHECKING:
    from boardsat.adapters.runtimes.program_output import ProgramOutput
    from boardsat.adapters.solvers import Solver

RUNTIME_NAMES = tuple(RuntimeName)

MAX_FILE_BYTES = 2**36
"""Maximum size of a file that a solver writes."""

MIN_TIME_LIMIT = 0.001
"""Time limit in seconds of a run whose limit has already passed."""

START_SECONDS = 60.0
# Starting takes 0.1 s, and up to some seconds if the file system or the machine is busy.


@dataclass(frozen=True)
class Limits:
    """Limits of a run."""

    wall: float | None = None
    """Wall-clock time in seconds; None if unlimited."""
    cpu: float | None = None
    """CPU time in seconds; None if unlimited."""
    memory: int | None = None
    """Memory in bytes; None if unlimited."""
    start_allowance: float = START_SECONDS
    """Wall-clock and CPU time in seconds for starting the worker of an embedded solver, in addition
    to the time limits. 0 if these include the start."""


@dataclass(frozen=True)
class Task:
    """Task of a solver run: the input file, the limits and the options of the command line."""

    file: str
    """Path of the formula, the logic program or the header of a board."""
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    count: bool = False
    """True to count models instead of finding one."""
    accuracy: Accuracy = field(default_factory=Accuracy)
    """Guarantee of an approximate count."""
    models: int = 1
    """Maximum number of answer sets of a logic program to find."""
    samples: int = 0
    """Number of models or tours to draw at random; 0 unless sampling."""
    heuristic: str | None = None
    """Search heuristic of a logic program; None for the default of the solver."""
    proof: ProofFile | None = None
    """Proof to write or to check; None without a proof."""
    cuts: str | None = None
    """Path of the lazy constraints for an incremental solver; None for other tasks."""
    statistics: bool = False
    """True to pass the option that prints statistics of the search, if the solver needs one."""
    core: int | None = None
    """Processor core to run on; None for any core that this process may use."""

    @property
    def written_proof(self) -> str | None:
        """Path of the proof that the solver writes; None if it does not write a proof."""
        return self.proof.path if self.proof and not self.proof.is_input else None

    @property
    def checked_proof(self) -> str | None:
        """Path of the proof that a proof checker reads; None for other solvers."""
        return self.proof.path if self.proof and self.proof.is_input else None

    def template_variables(self, file: str, proof: str | None) -> dict[str, object]:
        """Return the variables of command-line templates; None for options that are not set.

        Parameters
        ----------
        file : str
            Path of the input file, as the solver sees it.
        proof : str or None
            Path of the proof, as the solver sees it; None without a proof.
        """
        return {
            "file": file,
            "proof": proof,
            "kind": self.proof.format if self.proof else None,
            "seed": self.seed,
            "seconds": int(self.limits.wall or 10**6),
            "count": self.count,
            "epsilon": self.accuracy.epsilon,
            "delta": self.accuracy.delta,
            "models": self.models,
            "samples": self.samples,
            "heuristic": self.heuristic,
            "cuts": self.cuts,
            "statistics": self.statistics,
        }

    def select_core(self) -> int:
        """Return the core to run on; runs of different processes tend to get different cores."""
        if self.core is not None:
            return self.core
        cores = sorted(os.sched_getaffinity(0))
        return cores[os.getpid() % len(cores)]


@dataclass(frozen=True)
class Outcome:
    """Outcome of a process: output, exit code, termination reason and resources used."""

    output: ProgramOutput
    """Standard output."""
    errors: ProgramOutput
    """Standard error."""
    termination: TerminationReason
    exit_code: int
    """Exit code; negative signal number if the process was killed by a signal."""
    usage: Usage
    command: tuple[str, ...]
    """Command line; empty if the process was not started."""
    proof_error: BoardsatError | None = None
    """Error that lost the proof of the solver. None if no proof was lost."""


class Runtime(Protocol):
    """Interface of a runtime: the functions that its module defines."""

    def unavailable_reason(self, solver: Solver) -> str | None:
        """Return the reason why the solver cannot run. None if it can."""

    def remedy(self, solver: Solver) -> str:
        """Return what the user can do so that the solver can run."""
        ...

    def version(self, solver: Solver) -> str:
        """Return the version of the solver; "unknown" if it cannot be determined."""
        ...

    def run(self, solver: Solver, task: Task) -> Outcome:
        """Run the solver on a task.

        Parameters
        ----------
        solver : Solver
            Solver that the runtime can run.
        task : Task
            Input file, limits and options.

        Returns
        -------
        Outcome
            Output and termination reason, also of a run that crashed or reached a limit.

        Raises
        ------
        SolverError
            The solver cannot be started, or its output is lost.
        """
        ...


def load_runtime(name: str) -> Runtime:
    """Return the runtime of a name; raise SolverError if there is no such runtime."""
    if name not in RUNTIME_NAMES:
        raise SolverError(f"no runtime {name!r}", suggest(name, RUNTIME_NAMES))
    # Not docker.py, as a module called docker would hide the SDK.
    module = "container" if name == RuntimeName.DOCKER else name
    return cast(Runtime, importlib.import_module(f"{__name__}.{module}"))


def select_runtime(solver: Solver, requested: str = AUTO) -> RuntimeName:
    """Return the requested runtime, or for AUTO the first one that can run the solver.

    Raises
    ------
    SolverError
        No such runtime can run the solver. The message has the reasons, and the remedies.
    """
    reasons, remedies = [], []
    for name in RUNTIME_NAMES if requested == AUTO else (requested,):
        runtime = load_runtime(name)
        reason = runtime.unavailable_reason(solver)
        if reason is None:
            return RuntimeName(name)
        reasons.append(f"{name}: {reason}")
        remedies += [runtime.remedy(solver)] if name in solver.runtimes else []
    raise SolverError(
        f"{solver.name} cannot run here ({', '.join(reasons)})",
        "; or ".join(remedies) or f"choose --runtime {' or '.join(solver.runtimes)}",
    )


def check_seed(solver: Solver, runtime: str, seed: int | None) -> None:
    """Raise SolverError if a seed is given to a solver that would ignore it."""
    if seed is not None and not solver.takes_seed(runtime):
        raise SolverError(f"{solver.name} ({runtime}) takes no seed", "remove the seed")


def skipped_runtimes(solver: Solver, selected: str, requested: str) -> dict[str, str]:
    """Return the reason why each preferred runtime was skipped, by the name of the runtime.

    The version of a solver may differ by runtime. Empty if the user requested a runtime.
    """
    if requested != AUTO:
        return {}
    preferred = RUNTIME_NAMES[: RUNTIME_NAMES.index(RuntimeName(selected))]
    names = [name for name in preferred if name in solver.runtimes]
    reasons = {name: load_runtime(name).unavailable_reason(solver) for name in names}
    return {name: reason for name, reason in reasons.items() if reason}

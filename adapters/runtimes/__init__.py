"""Where a solver runs: in a container, as a program on PATH, or as a library in a child process.

A runtime is a file with `available(solver)`, the reason why it cannot run it or None,
`remedy(solver)` for that, `version(solver)`, and `run(solver, task)`. They are tried in the order
of PREFERRED.
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

# The workers below import this file, and read no solver's.
if TYPE_CHECKING:
    from boardsat.adapters.runtimes.program_output import ProgramOutput
    from boardsat.adapters.solvers import Solver

RUNTIME_NAMES = tuple(RuntimeName)

MAX_FILE_BYTES = 2**36
"""Bytes of a file that it may write."""


MIN_TIME_LIMIT = 0.001
"""Seconds: what is left of a limit that is over."""


START_SECONDS = 60.0
# The start takes 0.1 s, and up to some seconds if the file system or the machine is busy.


@dataclass(frozen=True)
class Limits:
    """Seconds and bytes; None for no limit."""

    wall: float | None = None
    cpu: float | None = None
    memory: int | None = None
    start_allowance: float = START_SECONDS
    """Wall-clock and CPU time in seconds that a worker may take before its embedded solver begins,
    which the limits of time do not count. 0 if they are those of the whole process."""


@dataclass(frozen=True)
class Task:
    """Task of a solver run: the input file, the limits and the options of the command line."""

    file: str
    """Path of the formula, the logic program or the board."""
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    count: bool = False
    """Whether to count models instead of finding one."""
    accuracy: Accuracy = field(default_factory=Accuracy)
    """Guarantee of an approximate count."""
    models: int = 1
    """Number of answer sets of a logic program to find at most."""
    samples: int = 0
    """Number of models or tours to draw at random; 0: do not sample."""
    heuristic: str | None = None
    """Search heuristic of a logic program; None: the default of the solver."""
    proof: ProofFile | None = None
    """Proof to write or to check; None if there is none."""
    cuts: str | None = None
    """Path of the lazy constraints for an incremental solver; None if there are none."""
    statistics: bool = False
    """Whether the solver prints statistics of its search, if that needs an option."""
    core: int | None = None
    """Processor core to run on; None: any of those that this process may use."""

    @property
    def written_proof(self) -> str | None:
        """Path of the proof that the solver writes; None if it writes none."""
        return self.proof.path if self.proof and not self.proof.is_input else None

    @property
    def checked_proof(self) -> str | None:
        """Path of the proof that the checker reads; None if it reads none."""
        return self.proof.path if self.proof and self.proof.is_input else None

    def template_variables(self, file: str, proof: str | None) -> dict[str, object]:
        """Return the variables of command-line templates; None for those that are not set."""
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

    def chosen_core(self) -> int:
        """Runs of different processes are likely to get different cores."""
        if self.core is not None:
            return self.core
        cores = sorted(os.sched_getaffinity(0))
        return cores[os.getpid() % len(cores)]


@dataclass(frozen=True)
class Outcome:
    output: ProgramOutput
    errors: ProgramOutput
    termination: TerminationReason
    exit_code: int
    usage: Usage
    command: tuple[str, ...]
    proof_error: BoardsatError | None = None
    """Error by which a proof that the solver wrote did not arrive. None if it did."""


class Runtime(Protocol):
    """What each file of this folder offers."""

    def unavailable_reason(self, solver: Solver) -> str | None: ...

    def remedy(self, solver: Solver) -> str: ...

    def version(self, solver: Solver) -> str: ...

    def run(self, solver: Solver, task: Task) -> Outcome: ...


def load_runtime(name: str) -> Runtime:
    if name not in RUNTIME_NAMES:
        raise SolverError(f"no runtime {name!r}", suggest(name, RUNTIME_NAMES))
    # Not docker.py, as a module called docker would hide the SDK.
    module = "container" if name == RuntimeName.DOCKER else name
    return cast(Runtime, importlib.import_module(f"{__name__}.{module}"))


def select_runtime(solver: Solver, wanted: str = AUTO) -> RuntimeName:
    """The first runtime that can run the solver, or the wanted one if it can."""
    reasons, remedies = [], []
    for name in RUNTIME_NAMES if wanted == AUTO else (wanted,):
        reason = load_runtime(name).unavailable_reason(solver)
        if reason is None:
            return RuntimeName(name)
        reasons.append(f"{name}: {reason}")
        remedies += [load_runtime(name).remedy(solver)] if name in solver.runtimes else []
    raise SolverError(
        f"{solver.name} cannot run here ({', '.join(reasons)})",
        "; or ".join(remedies) or f"leave --runtime out: it runs {' or '.join(solver.runtimes)}",
    )


def check_seed(solver: Solver, chosen: str, seed: int | None) -> None:
    """A seed for a solver that takes none would change nothing, while it seems to."""
    if seed is not None and not solver.takes_seed(chosen):
        raise SolverError(f"{solver.name} ({chosen}) takes no seed", "leave the seed out")


def skipped_runtimes(solver: Solver, chosen: str, wanted: str) -> dict[str, str]:
    """Why the solver does not run where it would rather: another runtime is another version."""
    preferred = RUNTIME_NAMES[: RUNTIME_NAMES.index(RuntimeName(chosen))] if wanted == AUTO else ()
    names = [name for name in preferred if name in solver.runtimes]
    reasons = {name: load_runtime(name).unavailable_reason(solver) for name in names}
    return {name: reason for name, reason in reasons.items() if reason}

"""Where a solver runs: in a container, as a program on PATH, or as a library in a child process.

A runtime is a file with `available(solver)`, the reason why it cannot run it or None,
`remedy(solver)` for that, `version(solver)`, and `run(solver, task)`. They are tried in the order
of PREFERRED.
"""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, cast

from boardsat.adapters.answer import TerminationReason, Usage
from boardsat.adapters.counters import DEFAULT_DELTA, DEFAULT_EPSILON
from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.solvers.capabilities import AUTO, RuntimeName
from boardsat.base.errors import BoardsatError, SolverError
from boardsat.base.text import suggest

# The workers below import this file, and read no solver's.
if TYPE_CHECKING:
    from boardsat.adapters.runtimes.program_output import ProgramOutput
    from boardsat.adapters.solvers import Solver

PREFERRED = tuple(RuntimeName)

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
    """What to run: on a formula, a logic program or a board, possibly with a proof to write, or to
    check."""

    file: str
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    count: bool = False
    """Whether to count models instead of finding one."""
    epsilon: float = DEFAULT_EPSILON
    delta: float = DEFAULT_DELTA
    models: int = 1
    """How many answer sets of a logic program to find."""
    samples: int = 0
    """How many models or tours to draw at random; none: another thing is asked."""
    heuristic: str | None = None
    """The search that a logic program means, where it directs it."""
    writes_proof: str | None = None
    """Where the proof shall go."""
    reads_proof: str | None = None
    proof_kind: ProofFormat | None = None
    """What the proof is written in."""
    cuts: str | None = None
    """The file that tells an incremental solver what must be connected."""
    statistics: bool = False
    """Whether the solver is to tell about its search, where that takes an option."""
    core: int | None = None
    """The processor core to run on; None for any one, of those that this process may use."""

    def template_variables(self, file: str, proof: str | None) -> dict[str, object]:
        """Return the variables of command-line templates; None for those that are not set."""
        return {
            "file": file,
            "proof": proof,
            "kind": self.proof_kind,
            "seed": self.seed,
            "seconds": int(self.limits.wall or 10**6),
            "count": self.count,
            "epsilon": self.epsilon,
            "delta": self.delta,
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

    def available(self, solver: Solver) -> str | None: ...

    def remedy(self, solver: Solver) -> str: ...

    def version(self, solver: Solver) -> str: ...

    def run(self, solver: Solver, task: Task) -> Outcome: ...


def runtime(name: str) -> Runtime:
    if name not in PREFERRED:
        raise SolverError(f"no runtime {name!r}", suggest(name, PREFERRED))
    # Not docker.py, as a module called docker would hide the SDK.
    module = "container" if name == RuntimeName.DOCKER else name
    return cast(Runtime, importlib.import_module(f"{__name__}.{module}"))


def choose(solver: Solver, wanted: str = AUTO) -> RuntimeName:
    """The first runtime that can run the solver, or the wanted one if it can."""
    reasons, remedies = [], []
    for name in PREFERRED if wanted == AUTO else (wanted,):
        reason = runtime(name).available(solver)
        if reason is None:
            return RuntimeName(name)
        reasons.append(f"{name}: {reason}")
        remedies += [runtime(name).remedy(solver)] if name in solver.runtimes else []
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
    before = PREFERRED[: PREFERRED.index(RuntimeName(chosen))] if wanted == AUTO else ()
    reasons = {name: runtime(name).available(solver) for name in before if name in solver.runtimes}
    return {name: reason for name, reason in reasons.items() if reason}

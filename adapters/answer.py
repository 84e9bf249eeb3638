"""An answer: the status, model or count of a solver, and the resources it used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, TypeAlias

from boardsat.base.dataclass import dataclass

# Workers that need no arrays start in half the time without them.
if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np
    import numpy.typing as npt

    from boardsat.base.errors import BoardsatError

Model: TypeAlias = "npt.NDArray[np.int8]"
"""Array of signs: entry v is 1 if variable v is true and -1 if it is false; entry 0 is unused."""


def literals_of(model: Model) -> list[int]:
    """Return the literals of a model, one for each variable."""
    signs = model.tolist()
    return [v if signs[v] > 0 else -v for v in range(1, len(signs))]


Atom = tuple[str, tuple[int, ...]]
"""Predicate and numbers of an atom that a logic program shows: `move(0,17)`."""

AnswerSet = tuple[Atom, ...]
"""Atoms of an answer set, in the order in which they were printed."""

MAX_COUNT_DIGITS = 4000
# Python prints numbers of at most 4300 digits, and totals computed from a count may be larger.


class Status(Enum):
    """Status of a formula; the value is the exit code that solvers use for it.

    Attributes
    ----------
    SATISFIABLE
        The formula has a model.
    UNSATISFIABLE
        The formula has no model.
    OPTIMUM
        The formula has a model, and no model has a better objective value.
    UNKNOWN
        The solver reached a limit, or gave up.

    Examples
    --------
    >>> boardsat.solve("queens", n=3).status
    <Status.UNSATISFIABLE: 20>
    """

    SATISFIABLE = 10
    UNSATISFIABLE = 20
    OPTIMUM = 30
    """Satisfiable, and the cost of the model is proved to be minimal."""
    UNKNOWN = 0

    @property
    def has_model(self) -> bool:
        """True for SATISFIABLE and OPTIMUM."""
        return self in (Status.SATISFIABLE, Status.OPTIMUM)


class TerminationReason(StrEnum):
    """Reason for the end of a run; the value is its name in reports."""

    FINISHED = "finished"
    TIME = "time limit"
    CPU = "CPU limit"
    MEMORY = "memory limit"
    OUTPUT = "output limit"
    SIGNAL = "killed by a signal"
    CRASH = "crash"
    HARNESS = "harness limit"
    """Time limit of boardsat's own work in a recorded run, such as generating and checking."""
    GIVEN_UP = "given up"
    """Run that was skipped, because smaller instances were not solved within the limits."""


@dataclass(frozen=True)
class Usage:
    """Resources used by a run: those of its process, and those of the solver alone.

    An embedded solver is a library in a Python process. Before the solver begins, the process
    starts an interpreter and imports modules. If the solver is a program, it is the whole process.
    """

    wall: float = 0.0
    """Wall-clock time of the process in seconds."""
    cpu: float | None = None
    """CPU time of the process in seconds. None if the runtime does not measure it."""
    memory: int | None = None
    """Peak memory of the process in bytes. None if the runtime does not measure it."""
    solver_wall: float | None = None
    """Wall-clock time of the solver alone in seconds. None if the process is the solver."""
    solver_cpu: float | None = None
    """CPU time of the solver alone in seconds. None if the process is the solver."""
    solver_memory: int | None = None
    """Bytes by which the solver raised the peak memory. None if the process is the solver."""

    @property
    def scored_wall(self) -> float:
        """Wall-clock time in seconds for comparing solvers."""
        return self.wall if self.solver_wall is None else self.solver_wall

    @property
    def scored_cpu(self) -> float | None:
        """CPU time in seconds for comparing solvers. None if not measured."""
        return self.cpu if self.solver_cpu is None else self.solver_cpu

    @property
    def scored_memory(self) -> int | None:
        """Peak memory in bytes for comparing solvers. None if not measured."""
        return self.memory if self.solver_memory is None else self.solver_memory

    def to_json(self) -> dict[str, float | None]:
        """Return all fields by name, with wall-clock times rounded to milliseconds."""
        solver_wall = None if self.solver_wall is None else round(self.solver_wall, 3)
        return vars(self) | {"wall": round(self.wall, 3), "solver_wall": solver_wall}

    def __str__(self) -> str:
        texts = [f"{self.wall:.2f} s"]
        texts += [f"{self.cpu:.2f} s CPU"] if self.cpu is not None else []
        texts += [f"{self.memory / 2**20:.0f} MB"] if self.memory is not None else []
        solver = "" if self.solver_cpu is None else f" (solver {self.solver_cpu:.2f} s CPU)"
        return f"{', '.join(texts)}{solver}"


@dataclass(frozen=True)
class SolverRun:
    """Run of a solver: program, version, runtime, termination, and resources used."""

    solver: str
    version: str
    runtime: str
    termination: TerminationReason
    exit_code: int
    usage: Usage
    command: tuple[str, ...] = ()
    """Command line; empty if the solver was not started."""
    statistics: Mapping[str, float] = field(default_factory=dict)
    """Statistics of the search that the solver printed: choices, conflicts, seconds."""
    skipped_runtimes: Mapping[str, str] = field(default_factory=dict)
    """Reasons why preferred runtimes were not available, by runtime."""
    proof_error: BoardsatError | None = None
    """Error that prevented storing the proof of the solver. None without such an error."""

    @property
    def description(self) -> str:
        """Solver, version and runtime, with the reasons why preferred runtimes were skipped."""
        skipped = ", ".join(self.skipped_runtimes.values())
        version = "(version unknown)" if self.version == "unknown" else self.version
        return f"{self.solver} {version}, {self.runtime}{f' ({skipped})' if skipped else ''}"


@dataclass(frozen=True)
class PortfolioSlice:
    """Slice of a portfolio: a method, the work it did, and its cost."""

    method: str
    work: Mapping[str, int]
    """Work by unit: rounds, conflicts, combinations of rows."""
    cpu: float
    """CPU time in seconds."""

    def __str__(self) -> str:
        amounts = ", ".join(f"{number:,} {unit}" for unit, number in self.work.items())
        return f"{self.method} ({amounts}, {self.cpu:.2f} s CPU)"


@dataclass(frozen=True)
class CutRounds:
    """Cuts that were added to a lazy formula while it was solved."""

    count: int = 0
    """Number of calls of the solver; 0 if the formula is not lazy."""
    cuts: tuple[tuple[int, ...], ...] = ()
    """Clauses that were added."""
    stop_reason: str = ""
    """Reason for abandoning the rounds; empty if the last round gave the answer."""
    joined: bool = False
    """True if subtours of the last model were joined by exchanging edges."""
    fallback_encoding: str = ""
    """Encoding that was solved after the lazy formula was abandoned; empty if not abandoned."""
    method: str = ""
    """Method of the portfolio that gave the answer; empty without a portfolio."""
    slices: tuple[PortfolioSlice, ...] = ()
    """Slices of the portfolio, in their order."""


NO_CUTS = CutRounds()


@dataclass(frozen=True)
class Answer:
    """Answer of a solver, not checked yet."""

    status: Status
    reason: str
    """Reason for the status UNKNOWN, with the last lines of the output after a crash.

    For a solver that reads the board, also the reason for the status UNSATISFIABLE.
    """
    run: SolverRun
    model: Model | None = None
    tour: tuple[int, ...] | None = None
    """Cells in the order in which a tour visits them. None unless the solver reads the board."""
    count: int | None = None
    """Number of models. None if the solver does not count."""
    weighted_count: Fraction | None = None
    """Sum of the weights of all models. None if literals have no weights."""
    cost: int | None = None
    """Cost of the model (weight of falsified soft clauses) as reported by an optimizing solver."""
    answer_sets: tuple[AnswerSet, ...] = ()
    """Answer sets of a logic program, at most as many as were requested."""
    samples: tuple[tuple[int, ...], ...] = ()
    """Samples, each as the literals of a model or as the cells of a tour, counted from 1."""
    cut_rounds: CutRounds = NO_CUTS

    @property
    def literals(self) -> list[int] | None:
        """Literals of the model, one for each variable. None without a model."""
        return None if self.model is None else literals_of(self.model)

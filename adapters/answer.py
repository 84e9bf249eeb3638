"""An answer: the status, model or count of a solver, and the resources it used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, TypeAlias

# Workers that need no arrays start in half the time without them.
if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np
    import numpy.typing as npt

    from boardsat.base.errors import BoardsatError

Model: TypeAlias = "npt.NDArray[np.int8]"
"""Entry v is 1 where variable v is true and -1 where it is false; entry 0 is unused."""

Atom = tuple[str, tuple[int, ...]]
"""The predicate and the numbers of an atom that a logic program shows: `move(0,17)`."""

AnswerSet = tuple[Atom, ...]
"""The atoms that hold, in the order in which they were printed."""


MAX_COUNT_DIGITS = 4000
"""Digits of a count. Python shows numbers of 4300, and what follows from a count may be larger."""


class Status(Enum):
    """What is known of the formula, valued by the exit code that solvers use for it."""

    SATISFIABLE = 10
    UNSATISFIABLE = 20
    OPTIMUM = 30
    """Satisfiable, and the model is the best one."""
    UNKNOWN = 0

    @property
    def has_model(self) -> bool:
        return self in (Status.SATISFIABLE, Status.OPTIMUM)


class TerminationReason(StrEnum):
    """How a run ended, in the words that reports use."""

    FINISHED = "finished"
    TIME = "time limit"
    CPU = "CPU limit"
    MEMORY = "memory limit"
    OUTPUT = "output limit"
    SIGNAL = "killed by a signal"
    CRASH = "crash"
    HARNESS = "harness limit"
    """Time limit of our own work in a recorded run: generating, reading, decoding, checking."""
    GIVEN_UP = "given up"
    """It was not begun, as others before it had shown that it would not end in time."""


@dataclass(frozen=True)
class Usage:
    """Resources of a run: those of its process, and those of the solver alone within it.

    An embedded solver is a library in a Python process, which starts an interpreter and imports
    modules before the solver begins. A program's process is the solver as a whole.
    """

    wall: float
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
        """Wall-clock time in seconds that solvers are compared by."""
        return self.wall if self.solver_wall is None else self.solver_wall

    @property
    def scored_cpu(self) -> float | None:
        """CPU time in seconds that solvers are compared by. None if not measured."""
        return self.cpu if self.solver_cpu is None else self.solver_cpu

    @property
    def scored_memory(self) -> int | None:
        """Peak memory in bytes that solvers are compared by. None if not measured."""
        return self.memory if self.solver_memory is None else self.solver_memory

    def to_json(self) -> dict[str, float | None]:
        """Return all fields by their names, wall-clock times in milliseconds' precision."""
        solver_wall = self.solver_wall
        return {
            "wall": round(self.wall, 3),
            "cpu": self.cpu,
            "memory": self.memory,
            "solver_wall": None if solver_wall is None else round(solver_wall, 3),
            "solver_cpu": self.solver_cpu,
            "solver_memory": self.solver_memory,
        }

    def __str__(self) -> str:
        parts = [f"{self.wall:.2f} s"]
        parts += [f"{self.cpu:.2f} s CPU"] if self.cpu is not None else []
        parts += [f"{self.memory / 2**20:.0f} MB"] if self.memory is not None else []
        solver = "" if self.solver_cpu is None else f" (solver {self.solver_cpu:.2f} s CPU)"
        return f"{', '.join(parts)}{solver}"


@dataclass(frozen=True)
class Answer:
    status: Status
    reason: str
    """Why the status is unknown, with the last lines of a crash, or why there is no tour."""
    model: Model | None
    count: int | None
    """The number of models, where the solver counts."""
    end: TerminationReason
    exit_code: int
    usage: Usage
    solver: str
    version: str
    runtime: str
    command: tuple[str, ...]
    answer_sets: tuple[AnswerSet, ...] = ()
    """What a logic program has instead of a model, as many as were asked for and found."""
    samples: tuple[tuple[int, ...], ...] = ()
    """What a sampler has drawn: the literals of a model, or the cells of a tour from 1."""
    statistics: Mapping[str, float] = field(default_factory=dict)
    """What the solver tells about its search: choices, conflicts, seconds."""
    rounds: int = 0
    """How many times the solver was asked, where the formula grew while solving."""
    gave_up: str = ""
    """Why it was not asked any more, in words, if it could have been."""
    cuts: tuple[tuple[int, ...], ...] = ()
    """The clauses that were added."""
    joined: bool = False
    """Whether subtours of the solver's last model were joined by exchanging edges, not by cuts."""
    passed_over: Mapping[str, str] = field(default_factory=dict)
    """The runtimes that come before its own, and why they could not be taken."""
    instead: str = ""
    """The encoding that gave the answer in the end, if it was another."""
    tour: tuple[int, ...] | None = None
    """The cells in the order of the visit, from a solver that reads the board itself."""
    lost_proof: BoardsatError | None = None
    """Error by which a proof that the solver wrote did not arrive. None if it did."""
    cost: int | None = None
    """What the model pays, as a solver that optimises says."""
    weighted: Fraction | None = None
    """The sum of the weights of all models, where literals have weights."""

    @property
    def who(self) -> str:
        """The solver, its version and where it ran, and why not where it would rather."""
        over = f" ({', '.join(self.passed_over.values())})" if self.passed_over else ""
        version = "(version unknown)" if self.version == "unknown" else self.version
        return f"{self.solver} {version}, {self.runtime}{over}"

"""A job is a run to do, a record its result; both are plain data for JSON."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from boardsat.adapters.answer import Status, TerminationReason
from boardsat.adapters.proofs import ProofFormat
from boardsat.base import json_data
from boardsat.base.errors import Wrong
from boardsat.base.json_data import Count, Size

StatusName = Annotated[str, tuple(Status.__members__)]


class Question(StrEnum):
    """What a run is to find out."""

    DECIDE = "decide"
    COUNT = "count"
    PROJECTION = "projection"
    """Whether counting over it counts boards."""
    PREPARE = "prepare"
    """Nothing of a solver: the formula becomes a file of an archive."""


DECIDE, COUNT = Question.DECIDE, Question.COUNT

CLOCK = 2
"""Definition of the limits and times in records, part of the key of every job.

1: limits covered our own reading and checking, and the times of embedded solvers the start of
Python; embedded MiniSat was preprocessed by CaDiCaL. 2: both are those of the solver alone.
"""

PLAIN = ""
"""The variant of a formula as its spec gives it."""

_KEY = frozenset(
    (
        *("problem", "formula", "solver", "task", "runtime", "version", "setup"),
        *("proves", "cpu", "memory", "seed", "repeat"),
    )
)
"""What a run depends on."""


@dataclass(frozen=True)
class Job:
    """One solver on one formula, which is a file, or a recipe to make it where it is run."""

    problem: str
    """Whose rules a board must obey, whatever spec the formula comes from."""
    encoding: str
    variant: str
    """What was done to the formula: nothing, a transform, or clauses that fix a board."""
    expected: str | None
    """The status that it must have by itself; None where only others can tell."""
    file: str
    """Empty where there is a recipe instead."""
    formula: str
    """The SHA-256 of the file."""
    solver: str
    """A name, or the path of a solver's file."""
    task: Question
    runtime: str
    version: str
    setup: str
    """A hash of the command line and image: the same name may stand for another solver."""
    image: str | None = None
    """The digest of the image that it runs in."""
    recipe: Mapping[str, Any] | None = None
    instance: str = ""
    """The name of the formula in a campaign."""
    proves: bool = False
    board: bool = True
    """Whether the record is to keep the board that was found."""
    keep: str = ""
    """The folder in which to leave models and proofs that were checked; empty: nowhere."""
    wall: float | None = None
    cpu: float | None = None
    memory: int | None = None
    seed: int | None = None
    repeat: int = 0
    """Which one it is of several runs that are alike."""
    strict: bool = False
    """Whether the same under another time limit is another run."""
    tries: int = 1
    """Which attempt it is: a worker may die."""
    core: int | None = None

    @cached_property
    def key(self) -> str:
        """The same for what need not be run again.

        Where and under which name may differ, and how long it may take unless that is strict: the
        record tells it.
        """
        names = {*_KEY, "wall"} if self.strict else _KEY
        about = {name: getattr(self, name) for name in names} | {"clock": CLOCK}
        return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class RunRecord:
    """What a run gave."""

    key: str
    problem: str
    encoding: str
    variant: str
    expected: str | None
    formula: str
    solver: str
    task: Question
    runtime: str
    version: str
    status: StatusName
    reason: str = ""
    """Why there is no answer, in words."""
    end: TerminationReason = TerminationReason.FINISHED
    fault: str = ""
    """What is wrong with the answer in words, where a check refuted it."""
    wrong: Wrong | None = None
    """The same for whoever decides by it."""
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    objects: Count | None = None
    """The count, in boards."""
    models: Count | None = None
    value: int | None = None
    """What the best model has least or most of."""
    exact: bool = True
    interval: tuple[Count, Count] | None = None
    wall: float = 0.0
    """Wall-clock time of the process in seconds."""
    cpu: float | None = None
    """CPU time of the process in seconds. None if not measured."""
    memory: Size | None = None
    """Peak memory of the process in bytes. None if not measured."""
    solver_wall: float | None = None
    """Wall-clock time of an embedded solver in seconds, without the start of Python."""
    solver_cpu: float | None = None
    """CPU time of an embedded solver in seconds, without the start of Python."""
    solver_memory: Size | None = None
    """Bytes that an embedded solver added to the peak memory of its process."""
    load: float | None = None
    """Load average of the last minute, per core, at the end of the run."""
    limit: float | None = None
    """The seconds that it might have taken."""
    cpu_limit: float | None = None
    memory_limit: Size | None = None
    instance: str = ""
    seed: Size | None = None
    repeat: Size = 0
    tries: Size = 1
    image: str | None = None
    setup: str = ""
    """Hash of the solver's command line and image."""
    clock: Size = 1
    """Definition of its limits and times, see `CLOCK`; 1 for a line without this field."""
    host: str = ""
    processor: str = ""
    """The model of its CPU."""
    statistics: Mapping[str, float] = field(default_factory=dict)
    """What the solver tells about its search."""
    command: tuple[str, ...] = ()
    true: tuple[Size, ...] | None = None
    """The variables that the board is read from and that hold in the model."""
    tour: tuple[Size, ...] | None = None
    """The cells in their order, from a solver that needs no formula."""
    kept: tuple[str, ...] = ()
    """The names of the files that it has left where its job said."""
    proof_kind: ProofFormat | None = None
    """What its proof is written in, where it has one that was checked."""
    proof_bytes: Size | None = None
    finished: bool = True
    """False where something outside the run failed, and it should be tried again."""

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
        """Memory in bytes that solvers are compared by. None if not measured."""
        return self.memory if self.solver_memory is None else self.solver_memory

    @property
    def cpu_share(self) -> float | None:
        """Share of a CPU core that the solver had. None if not measured."""
        if self.scored_cpu is None or self.scored_wall <= 0.0:
            return None
        return round(self.scored_cpu / self.scored_wall, 3)

    @property
    def answered(self) -> bool:
        return self.says is not Status.UNKNOWN

    @property
    def skipped(self) -> bool:
        """Whether the run was not begun, because smaller instances were not solved."""
        return self.end is TerminationReason.GIVEN_UP

    @property
    def timed_out(self) -> bool:
        """Whether more time might have brought an answer."""
        return self.end in (TerminationReason.TIME, TerminationReason.HARNESS) and not self.answered

    @property
    def says(self) -> Status:
        return Status[self.status]

    @property
    def name(self) -> str:
        """Of the solver, wherever its file is."""
        return Path(self.solver).stem

    @property
    def where(self) -> str:
        """The encoding, and what was done to it."""
        return f"{self.encoding} ({self.variant})" if self.variant else self.encoding


def same_answer(record: RunRecord, job: Job) -> RunRecord:
    """A record found earlier, under the names that this job has."""
    said = (record.encoding, record.variant, record.expected, record.instance)
    if said == (job.encoding, job.variant, job.expected, job.instance):
        return record
    return dataclasses.replace(
        record,
        encoding=job.encoding,
        variant=job.variant,
        expected=job.expected,
        instance=job.instance,
    )


def unanswered(job: Job, **about: Any) -> RunRecord:
    """The record of a run that has no answer, or none yet."""
    return RunRecord(
        key=job.key,
        problem=job.problem,
        encoding=job.encoding,
        variant=job.variant,
        expected=job.expected,
        formula=job.formula,
        solver=job.solver,
        task=job.task,
        runtime=job.runtime,
        version=job.version,
        status=Status.UNKNOWN.name,
        limit=job.wall,
        cpu_limit=job.cpu,
        memory_limit=job.memory,
        instance=job.instance,
        seed=job.seed,
        repeat=job.repeat,
        tries=job.tries,
        image=job.image,
        setup=job.setup,
        clock=CLOCK,
        **about,
    )


def to_line(entry: Job | RunRecord) -> str:
    # Not `asdict`, which copies all of a recipe: it takes longer than to write it.
    names = (each.name for each in dataclasses.fields(entry))
    return json.dumps({name: getattr(entry, name) for name in names}) + "\n"


def job_from(line: str) -> Job:
    about: dict[str, Any] = json.loads(line)
    return Job(**{**about, "task": Question(about["task"])})


def record_from(line: str | bytes) -> RunRecord:
    """A record from its line; MalformedError where it is none, or one of another version."""
    return json_data.decode(RunRecord, line.encode() if isinstance(line, str) else line)

"""Jobs and their records, made of parts that validation, campaigns and archives share.

A job is a run to do, a record its result. Both are plain data; in JSON the fields of all parts are
keys of one object, and in a table of runs they are columns.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated

from boardsat.adapters.answer import Status, TerminationReason, Usage
from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.runtimes import Limits
from boardsat.base import json_data
from boardsat.base.errors import Wrong
from boardsat.base.json_data import Count, Inline, Integer, Size
from boardsat.campaign.runner.recipe import Recipe

Seed = Annotated[int, range(2**64)]
StatusName = Annotated[str, tuple(Status.__members__)]


class RunTask(StrEnum):
    """Task of a run."""

    DECIDE = "decide"
    COUNT = "count"
    PROJECTION = "projection"
    """Decide whether a count over the projection is the number of boards."""
    PREPARE = "prepare"
    """Write the formula as a file of an archive; no solver is run."""


DECIDE, COUNT = RunTask.DECIDE, RunTask.COUNT

CLOCK = 2
"""Definition of the limits and times in records, part of the key of every job.

1: limits included reading and checking by boardsat, and times of embedded solvers included the
start of Python; embedded MiniSat was preprocessed by CaDiCaL. 2: limits and times are those of the
solver alone.
"""

PLAIN = ""
"""Value of `Question.variant` for the formula that the spec generates, unchanged."""


@dataclass(frozen=True)
class Question:
    """Formula and task of a run."""

    problem: str
    """Problem whose rules a board must obey, whatever spec the formula comes from."""
    encoding: str
    variant: str
    """Change of the formula: empty, a transform, or clauses that fix a board."""
    expected: str | None
    """Status that the formula must have. None if unknown."""
    formula: str
    """SHA-256 of the formula file."""
    task: RunTask
    instance: str = ""
    """Name of the formula in a campaign."""

    @property
    def varied_encoding(self) -> str:
        """Encoding and variant, for people."""
        return f"{self.encoding} ({self.variant})" if self.variant else self.encoding


@dataclass(frozen=True)
class SolverIdentity:
    """Solver with its runtime, version and configuration: equal identities give the same runs."""

    name: str
    """Name of the solver, or path of its file."""
    runtime: str
    version: str
    setup: str = ""
    """Hash of the solver file and the image: two solvers of one name may differ in it."""
    image: str | None = None
    """Digest of the container image. None outside a container."""

    @property
    def label(self) -> str:
        """Name of the solver; for a solver file, its name without folder and extension."""
        return Path(self.name).stem


@dataclass(frozen=True)
class Attempt:
    """Repetition of a run."""

    seed: Seed | None = None
    repeat: Size = 0
    """Number of the run among identical ones."""
    tries: Size = 1
    """Number of times that the run was started: a worker may die."""


@dataclass(frozen=True)
class FormulaSource:
    """Formula file, or the recipe to generate it where the run takes place."""

    file: str = ""
    """Path of the file. Empty if there is a recipe."""
    recipe: Recipe | None = None


@dataclass(frozen=True)
class Output:
    """Results of a run that are wanted in addition to its answer."""

    proves: bool = False
    """True to write and check a proof."""
    board: bool = True
    """True to store the board of a model in the record."""
    keep: str = ""
    """Folder for models and proofs that were checked. Empty if they are not stored."""


@dataclass(frozen=True)
class RunOutcome:
    """Answer of a run, and how it was checked."""

    status: StatusName = Status.UNKNOWN.name
    reason: str = ""
    """Reason why there is no answer."""
    end: TerminationReason = TerminationReason.FINISHED
    fault: str = ""
    """Fault of the answer that a check found. Empty if no check has failed."""
    wrong: Wrong | None = None
    """Aspect of the answer that the check refuted."""
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    value: Integer | None = None
    """Objective value of the model. None if there is no objective."""
    finished: bool = True
    """False if something outside the run failed, so that it is tried again."""

    @property
    def parsed_status(self) -> Status:
        return Status[self.status]


@dataclass(frozen=True)
class ModelCount:
    """Count of models, and of the objects that they stand for."""

    objects: Count | None = None
    """Number of boards."""
    models: Count | None = None
    exact: bool = True
    interval: tuple[Count, Count] | None = None
    """Bounds on the number of boards, if it is an estimate."""


@dataclass(frozen=True)
class Execution:
    """Command of a run and the machine that executed it."""

    command: tuple[str, ...] = ()
    statistics: Mapping[str, float] = field(default_factory=dict)
    """Search statistics that the solver reported."""
    host: str = ""
    processor: str = ""
    """CPU model."""
    load: float | None = None
    """Load average of the last minute, per core, at the end of the run."""
    clock: Size = 1
    """Definition of limits and times, see `CLOCK`; 1 for a line without this field."""


@dataclass(frozen=True)
class Artifacts:
    """Board, model and proof of a run."""

    true: tuple[Size, ...] | None = None
    """True variables among those that the board is decoded from."""
    tour: tuple[Size, ...] | None = None
    """Cells in the order of the visit, from a solver that reads the board itself."""
    kept: tuple[str, ...] = ()
    """Names of files in the folder that the job named."""
    proof_kind: ProofFormat | None = None
    """Format of the proof that was checked. None without a proof."""
    proof_bytes: Size | None = None


RunLimits = Annotated[Limits, Inline(wall="limit", cpu="cpu_limit", memory="memory_limit")]
RunSolver = Annotated[
    SolverIdentity,
    Inline(name="solver", runtime="runtime", version="version", setup="setup", image="image"),
]


@dataclass(frozen=True)
class Job:
    """Run to do: a solver on a formula."""

    question: Annotated[Question, Inline()]
    identity: RunSolver
    source: Annotated[FormulaSource, Inline()]
    limits: RunLimits = field(default_factory=Limits)
    attempt: Annotated[Attempt, Inline()] = Attempt()
    output: Annotated[Output, Inline()] = Output()
    strict: bool = False
    """True if runs that differ only in the time limit are different runs."""
    core: int | None = None

    @cached_property
    def key(self) -> str:
        """Hash of everything that may change the answer: jobs with the same key are run once.

        The key does not contain the names of the formula, nor the time limit, which is in the
        record, unless `strict` is set.
        """
        entries = {
            "clock": CLOCK,
            "problem": self.question.problem,
            "formula": self.question.formula,
            "task": self.question.task,
            "solver": self.identity.name,
            "runtime": self.identity.runtime,
            "version": self.identity.version,
            "setup": self.identity.setup,
            "proves": self.output.proves,
            "cpu": self.limits.cpu,
            "memory": self.limits.memory,
            "seed": self.attempt.seed,
            "repeat": self.attempt.repeat,
        }
        if self.strict:
            entries["wall"] = self.limits.wall
        return hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class RunRecord:
    """Result of a run."""

    key: str
    """Key of the job."""
    question: Annotated[Question, Inline()]
    identity: RunSolver
    limits: RunLimits = field(default_factory=Limits)
    attempt: Annotated[Attempt, Inline()] = Attempt()
    outcome: Annotated[RunOutcome, Inline()] = RunOutcome()
    count: Annotated[ModelCount, Inline()] = ModelCount()
    usage: Annotated[Usage, Inline()] = field(default_factory=Usage)
    execution: Annotated[Execution, Inline()] = Execution()
    artifacts: Annotated[Artifacts, Inline()] = Artifacts()

    @property
    def title(self) -> str:
        """Solver and encoding, for people."""
        return f"{self.identity.label} on {self.question.varied_encoding}"

    @property
    def cpu_share(self) -> float | None:
        """Share of a CPU core that the solver had. None if not measured."""
        cpu, wall = self.usage.scored_cpu, self.usage.scored_wall
        return None if cpu is None or wall <= 0.0 else round(cpu / wall, 3)

    @property
    def answered(self) -> bool:
        return self.outcome.parsed_status is not Status.UNKNOWN

    @property
    def solved(self) -> bool:
        """True if the run has an answer that no check has refuted."""
        return self.answered and not self.outcome.fault

    @property
    def skipped(self) -> bool:
        """True if the run was not begun, because smaller instances were not solved."""
        return self.outcome.end is TerminationReason.GIVEN_UP

    @property
    def timed_out(self) -> bool:
        """True if more time might have brought an answer."""
        return (
            self.outcome.end in (TerminationReason.TIME, TerminationReason.HARNESS)
            and not self.answered
        )


def same_answer(record: RunRecord, job: Job) -> RunRecord:
    """Return a stored record for an identical job, with the names that this job uses."""
    if record.question == job.question:
        return record
    return dataclasses.replace(record, question=job.question)


@cache
def host_name() -> str:
    """Return the name of this machine."""
    return socket.gethostname()


def unanswered(job: Job, outcome: RunOutcome, execution: Execution | None = None) -> RunRecord:
    """Return the record of a run without an answer.

    An execution of None means that the run was not begun or has left no record.
    """
    return RunRecord(
        key=job.key,
        question=job.question,
        identity=job.identity,
        limits=job.limits,
        attempt=job.attempt,
        outcome=outcome,
        execution=execution or Execution(host=host_name(), clock=CLOCK),
    )


def to_line(entry: Job | RunRecord) -> str:
    """Return a job or a record as a line of JSON."""
    return json.dumps(json_data.encode(entry)) + "\n"


def job_from(line: str) -> Job:
    """Return the job of a line."""
    return json_data.decode(Job, line.encode())


def record_from(line: str | bytes) -> RunRecord:
    """Return the record of a line; raise MalformedError if it is damaged or of another version."""
    return json_data.decode(RunRecord, line.encode() if isinstance(line, str) else line)

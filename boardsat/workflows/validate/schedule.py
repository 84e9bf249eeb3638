"""Schedule of a validation: order and time limits of its runs within the total time.

Every encoding and every solver has one run first; then deciding comes before counting, and small
formulas come before large ones. Runs that reached a limit are retried at the end, with the
remaining time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from boardsat.base.limits import Clock
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, Job, RunRecord, RunTask

SMALL_FORMULAS_SECONDS, LARGE_FORMULAS_SECONDS = 60.0, 600.0
"""Default time limit of a validation by the total size of its formulas."""

MAX_SMALL_BYTES = 10_000_000

MIN_RUN_SECONDS = 1.0  # starting a process dominates shorter runs

FIRST_RUN_DIVISOR = 8
"""Divisor of the remaining time: the limit for a counter's first run, and for runs on variants."""

MIN_RETRY_FACTOR = 1.5
"""Minimum ratio of the new time limit to the reached one for a retry."""

NO_TIME = "no time was left"


class RunKey(NamedTuple):
    """Identity of a run within a validation."""

    encoding: str
    variant: str
    solver: str
    task: RunTask

    @classmethod
    def of(cls, job: Job) -> RunKey:
        return cls(
            job.question.encoding, job.question.variant, job.identity.name, job.question.task
        )

    @property
    def solver_and_task(self) -> tuple[str, RunTask]:
        return self.solver, self.task


@dataclass(frozen=True)
class PossibleRun:
    """Run that may be scheduled; its formula is written when it starts."""

    key: RunKey
    cost: float
    """Estimated difficulty; runs of lower cost come first."""
    make: Callable[[], Job | None]
    """Function that returns the job, or None if the encoding cannot express the variant."""
    min_seconds: float = MIN_RUN_SECONDS
    """Minimum time in seconds to start the run with."""
    is_first: bool = False
    """True for the first run of an encoding, or of a solver and task."""


@dataclass(frozen=True)
class OmittedRun:
    """Run that was not started, with the reason."""

    key: RunKey
    reason: str

    @property
    def name(self) -> str:
        return Path(self.key.solver).stem


@dataclass(frozen=True)
class Stage:
    """Group of runs that depends on the records of earlier stages."""

    runs: Callable[[Sequence[RunRecord]], Iterable[PossibleRun]]
    """Function from the records of earlier runs to the runs of the stage."""
    waits_for: frozenset[RunTask] = frozenset()
    """Tasks whose runs must have ended before the stage begins."""
    with_late: bool = False
    """True to retry earlier runs that reached a limit, sorted among the runs of the stage."""
    repeats: bool = False
    """True to call `runs` again after its runs have ended, until it returns none."""


@dataclass
class Schedule:
    """Source of jobs for a pool of workers."""

    stages: list[Stage]
    """Stages that have not begun, in their order."""
    clock: Clock
    """Clock of the validation, with its time limit."""
    cores: int
    """Number of runs at the same time."""
    timeout: float | None
    """Time limit of a single run in seconds. None: unlimited."""
    has_disagreement: Callable[[Sequence[RunRecord]], bool]
    """Predicate on records; if true, half of the remaining time is reserved for reduction."""
    stored_record: Callable[[Job], RunRecord | None]
    """Function from a job to its record of an earlier validation, or None."""
    waiting: list[PossibleRun] = field(default_factory=list)
    late: list[PossibleRun] = field(default_factory=list)
    """Runs that reached a limit, and postponed ones."""
    running: dict[RunKey, PossibleRun] = field(default_factory=dict)
    order: dict[RunKey, int] = field(default_factory=dict)
    """Positions of all runs in the order of the stages."""
    ended_runs: dict[RunKey, RunRecord] = field(default_factory=dict)
    failed: dict[tuple[str, RunTask], list[tuple[PossibleRun, RunRecord]]] = field(
        default_factory=dict
    )
    """Runs that reached a limit, by solver and task."""
    omitted: list[OmittedRun] = field(default_factory=list)
    reserved: float = 0.0
    """Time in seconds that is reserved for reduction."""

    @property
    def records(self) -> list[RunRecord]:
        """Records of all runs that have ended, in the order of the stages."""
        return [self.ended_runs[key] for key in self.order if key in self.ended_runs]

    def next(self) -> Job | None:
        """Return the next job. None if it depends on running jobs, or at the end."""
        while self.waiting or self._advance():
            if self.waiting and (job := self._start(self.waiting.pop(0))) is not None:
                return job
        return None

    def ended(self, job: Job, record: RunRecord) -> None:
        """Store the record of a job; postpone similar runs if it reached its limit."""
        key = RunKey.of(job)
        run = self.running.pop(key)
        self.ended_runs[key] = record
        if not record.timed_out or self.clock.wall is None:
            return
        group = key.solver_and_task
        self.failed.setdefault(group, []).append((run, record))
        if key.variant != PLAIN:
            return
        if record.limits.wall != self.timeout:
            self.late.append(replace(run, is_first=False))
        # A solver that reached a limit once is likely to reach it again.
        postponed = [
            waiting
            for waiting in self.waiting
            if waiting.key.solver_and_task == group and not waiting.is_first
        ]
        self.waiting = [waiting for waiting in self.waiting if waiting not in postponed]
        self.late += postponed

    def finish(self) -> list[OmittedRun]:
        """Return the runs that were never started; call it after the last run has ended."""
        for stage in self.stages:
            self._add(stage)
        for run in (*self.waiting, *self.late):
            self._omit(run, NO_TIME)
        return self.omitted

    def seconds_left(self) -> float:
        return self.clock.wall_left - self.reserved

    def _advance(self) -> bool:
        """Begin the next stage; return False if it must wait for runs, or after the last stage."""
        if self.stages:
            if any(key.task in self.stages[0].waits_for for key in self.running):
                return False
            stage = self.stages.pop(0)
            if self._add(stage) and stage.repeats:
                self.stages.insert(0, stage)
            if stage.with_late:
                self._add_late()
        elif self.late and not self.running:
            self._add_late()
        else:
            return False
        is_limited = self.clock.wall is not None
        if not self.reserved and is_limited and self.has_disagreement(self.records):
            self.reserved = self.clock.wall_left / 2
        return True

    def _add_late(self) -> None:
        """Queue again the runs that reached a limit, sorted among all waiting runs."""
        runs, self.late = [*self.waiting, *self.late], []
        self.waiting = sorted(runs, key=_order)

    def _add(self, stage: Stage) -> bool:
        """Queue the runs of a stage, and return whether it has any."""
        runs = list(stage.runs(self.records))
        for run in runs:
            self.order.setdefault(run.key, len(self.order))
        self.waiting += runs
        return bool(runs)

    def _start(self, run: PossibleRun) -> Job | None:
        """Return the job of a run with its limit; None if it is omitted."""
        limit = self._limit(run)
        if not self._is_answered(run):
            # A run that cannot finish would take time from others.
            is_late = self.seconds_left() < run.min_seconds
            reason = NO_TIME if is_late else self._reason_to_omit(run, limit)
            if reason:
                self._omit(run, reason)
                return None
        job = run.make()
        if job is None:
            return None
        self.running[run.key] = run
        return replace(job, limits=replace(job.limits, wall=limit))

    def _is_answered(self, run: PossibleRun) -> bool:
        """Return whether an earlier validation stored the answer, so the run takes no time."""
        job = run.make() if run.key.variant == PLAIN else None
        record = self.stored_record(job) if job is not None else None
        return record is not None and record.answered

    def _limit(self, run: PossibleRun) -> float | None:
        if self.clock.wall is None:
            return self.timeout
        seconds = self.seconds_left()
        if run.key.variant != PLAIN or (run.is_first and run.key.task == COUNT):
            # Most runs are still ahead.
            share = seconds / FIRST_RUN_DIVISOR
        else:
            runs = (run, *self.waiting, *self.late, *self.running.values())
            groups = {open_run.key.solver_and_task for open_run in runs}
            share = seconds * self.cores / len(groups)
        limit = min(seconds, max(run.min_seconds, share), self.timeout or seconds)
        limit = max(limit, MIN_RUN_SECONDS)
        # Rounded so that a repeated validation has the same limits, and reuses its records.
        return float(round(limit, 1))

    def _reason_to_omit(self, run: PossibleRun, limit: float | None) -> str:
        """Return the reason why a run is unlikely to finish within its limit; empty if it may."""
        for failed, record in self.failed.get(run.key.solver_and_task, ()):
            reached = record.limits.wall
            if reached is None or limit is None:
                continue
            if failed.key == run.key and limit < MIN_RETRY_FACTOR * reached:
                return f"it did not finish in {reached:g} s"
            # Counting takes longer on larger formulas.
            if run.key.task == COUNT and run.cost >= failed.cost and limit <= reached:
                return f"it did not finish on {failed.key.encoding} in {reached:g} s"
        return ""

    def _omit(self, run: PossibleRun, reason: str) -> None:
        if run.key not in self.ended_runs:
            self.omitted.append(OmittedRun(run.key, reason))


def split_first_runs(
    runs: Iterable[PossibleRun], likely: str
) -> tuple[list[PossibleRun], list[PossibleRun]]:
    """Split off the first runs: one for every encoding, and one for every solver and task.

    The first run of an encoding is by the solver `likely`, if available.
    """
    waiting = sorted(runs, key=_order)
    deciding = [run for run in waiting if run.key.task == DECIDE]
    first: dict[RunKey, PossibleRun] = {}
    for run in sorted(deciding, key=lambda run: run.key.solver != likely):
        if all(run.key.encoding != key.encoding for key in first):
            first[run.key] = replace(run, is_first=True)
    for run in waiting:
        if all(run.key.solver_and_task != key.solver_and_task for key in first):
            first[run.key] = replace(run, is_first=True)
    return list(first.values()), [run for run in waiting if run.key not in first]


def _order(run: PossibleRun) -> tuple[bool, float]:
    return run.key.task == COUNT, run.cost


def total_time(requested: float | None, num_bytes: int) -> float | None:
    """Return the time limit of a validation in seconds; None if unlimited.

    `requested` 0 means unlimited. If it is None, the limit depends on the total size of the
    formulas.
    """
    if requested is None:
        return SMALL_FORMULAS_SECONDS if num_bytes <= MAX_SMALL_BYTES else LARGE_FORMULAS_SECONDS
    return requested or None

"""Which run comes next, and its time limit, so that the total time goes to runs that can finish.

First every encoding and every solver has one run, then who decides comes before who counts, and
small formulas before large ones. A solver that reached a limit waits until the others had their
turn, and then gets what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from boardsat.base.limits import Clock
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, Job, Question, RunRecord

PART = 8
"""The first run of a counter, and what is not a plain formula, has this part of what is left."""
LONGER = 1.5
"""A run is tried again only with so many times the seconds that it had."""

NO_TIME = "no time was left"

Place = tuple[str, str, str, Question]
"""Encoding, variant, solver and task: what is run once."""

SMALL_FORMULAS_SECONDS, LARGE_FORMULAS_SECONDS = 60.0, 600.0
"""Default total time of a validation, by the size of its formulas together."""

MAX_SMALL_BYTES = 10_000_000
"""Size up to which formulas are small."""

MIN_RUN_SECONDS = 1.0
"""Minimum time of a run that is worth its start."""


def total_time(requested: float | None, num_bytes: int) -> float | None:
    """Return the total time of a validation in seconds; None: unlimited.

    `requested` is 0 for no limit, None for the default for formulas of this size.
    """
    if requested is None:
        return SMALL_FORMULAS_SECONDS if num_bytes <= MAX_SMALL_BYTES else LARGE_FORMULAS_SECONDS
    return requested or None


@dataclass(frozen=True)
class PossibleRun:
    """A run that may be done; its formula is made when its turn comes."""

    encoding: str
    variant: str
    solver: str
    task: Question
    cost: float
    """What is likely to end sooner has less."""
    make: Callable[[], Job | None]
    """None where the question makes no sense for the encoding after all."""
    least: float = MIN_RUN_SECONDS
    """Fewer seconds are not worth its start."""
    first: bool = False
    """Whether it is the one run that an encoding or a solver has before any has many."""

    @property
    def place(self) -> Place:
        return self.encoding, self.variant, self.solver, self.task

    @property
    def group(self) -> tuple[str, Question]:
        return self.solver, self.task


@dataclass(frozen=True)
class LeftOut:
    """A run that was not done, and why."""

    encoding: str
    variant: str
    solver: str
    task: Question
    reason: str

    @property
    def name(self) -> str:
        return Path(self.solver).stem


@dataclass(frozen=True)
class Stage:
    """Runs that are known only when earlier ones have ended."""

    items: Callable[[Sequence[RunRecord]], Iterable[PossibleRun]]
    after: frozenset[Question] = frozenset()
    """The tasks that must have come to an end before."""
    with_late: bool = False
    """Whether those that reached a limit are tried again among its runs."""
    repeats: bool = False
    """Whether it is asked again when its runs have ended, until it has no further one."""


class Schedule:
    def __init__(
        self,
        stages: Sequence[Stage],
        clock: Clock,
        cores: int,
        timeout: float | None,
        is_wrong: Callable[[Sequence[RunRecord]], bool],
        known: Callable[[Job], RunRecord | None],
    ) -> None:
        """`is_wrong` tells whether there is something to look into when all is done.

        `known` gives what earlier runs have found.
        """
        self.stages = list(stages)
        self.clock, self.cores, self.timeout, self.is_wrong = clock, cores, timeout, is_wrong
        self.known = known
        self.waiting: list[PossibleRun] = []
        self.late: list[PossibleRun] = []
        self.running: dict[Place, PossibleRun] = {}
        self.order: dict[Place, int] = {}
        self.found: dict[Place, RunRecord] = {}
        self.failed: dict[tuple[str, str], list[tuple[PossibleRun, RunRecord]]] = {}
        self.left_out: list[LeftOut] = []
        self.reserved = 0.0

    @property
    def records(self) -> list[RunRecord]:
        """What was found, in the order of the plan."""
        return [self.found[place] for place in self.order if place in self.found]

    def next(self) -> Job | None:
        """The next run; None while it depends on those that go on, and at the end."""
        while self.waiting or self._advance():
            if self.waiting and (job := self._begun(self.waiting.pop(0))) is not None:
                return job
        return None

    def ended(self, job: Job, record: RunRecord) -> None:
        place = job.encoding, job.variant, job.solver, job.task
        item = self.running.pop(place)
        self.found[place] = record
        if not record.timed_out or self.clock.wall is None:
            return
        self.failed.setdefault(item.group, []).append((item, record))
        if item.variant != PLAIN:
            return
        if record.limit != self.timeout:
            self.late.append(replace(item, first=False))
        # Whoever reached a limit once is likely to reach it again.
        again = [other for other in self.waiting if other.group == item.group and not other.first]
        self.waiting = [other for other in self.waiting if other not in again]
        self.late += again

    def finish(self) -> list[LeftOut]:
        """What was not done when all has ended."""
        for stage in self.stages:
            self._add(stage)
        for item in (*self.waiting, *self.late):
            self._leave_out(item, NO_TIME)
        return self.left_out

    def left(self) -> float:
        return self.clock.wall_left - self.reserved

    def _advance(self) -> bool:
        """The next stage; false where there is none yet, or none at all."""
        if self.stages:
            if any(item.task in self.stages[0].after for item in self.running.values()):
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
        if not self.reserved and self.clock.wall is not None and self.is_wrong(self.records):
            self.reserved = self.clock.wall_left / 2
        return True

    def _add_late(self) -> None:
        """The likeliest first."""
        everybody, self.late = [*self.waiting, *self.late], []
        self.waiting = sorted(everybody, key=lambda item: (item.task == COUNT, item.cost))

    def _add(self, stage: Stage) -> bool:
        """Queue the runs of a stage, and return whether it has any."""
        items = list(stage.items(self.records))
        for item in items:
            self.order.setdefault(item.place, len(self.order))
        self.waiting += items
        return bool(items)

    def _begun(self, item: PossibleRun) -> Job | None:
        limit = self._limit(item)
        if not self._is_known(item):
            # What cannot end in time must not keep others from it.
            reason = NO_TIME if self.left() < item.least else self._hopeless(item, limit)
            if reason:
                self._leave_out(item, reason)
                return None
        job = item.make()
        if job is None:
            return None
        self.running[item.place] = item
        return replace(job, wall=limit)

    def _is_known(self, item: PossibleRun) -> bool:
        """Whether it was answered before, which takes no time."""
        job = item.make() if item.variant == PLAIN else None
        record = self.known(job) if job is not None else None
        return record is not None and record.answered

    def _limit(self, item: PossibleRun) -> float | None:
        if self.clock.wall is None:
            return self.timeout
        left = self.left()
        if item.variant != PLAIN or (item.first and item.task == COUNT):
            # Much is still to come.
            share = left / PART
        else:
            everybody = (item, *self.waiting, *self.late, *self.running.values())
            share = left * self.cores / len({other.group for other in everybody})
        limit = min(left, max(item.least, share), self.timeout or left)
        limit = max(limit, MIN_RUN_SECONDS)
        # A run that is tried twice should have the same limit where nothing else has changed.
        return float(round(limit, 1))

    def _hopeless(self, item: PossibleRun, limit: float | None) -> str:
        """Why it need not be tried; not where it may have as long as it takes."""
        for other, record in self.failed.get(item.group, ()):
            given = record.limit
            if given is None or limit is None:
                continue
            if other.place == item.place and limit < LONGER * given:
                return f"it did not end in {given:g} s"
            # A formula that is no smaller will hardly be counted sooner.
            if item.task == COUNT and item.cost >= other.cost and limit <= given:
                return f"it did not end on {other.encoding} in {given:g} s"
        return ""

    def _leave_out(self, item: PossibleRun, reason: str) -> None:
        if item.place not in self.found:
            self.left_out.append(
                LeftOut(item.encoding, item.variant, item.solver, item.task, reason)
            )


def covering(
    items: Iterable[PossibleRun], likely: str
) -> tuple[list[PossibleRun], list[PossibleRun]]:
    """One run for every encoding, one for every solver and task; and the rest.

    An encoding is decided by the likely solver, if that is there.
    """
    waiting = sorted(items, key=lambda item: (item.task == COUNT, item.cost))
    deciding = [item for item in waiting if item.task == DECIDE]
    first: dict[Place, PossibleRun] = {}
    for item in sorted(deciding, key=lambda item: item.solver != likely):
        if all(item.encoding != other.encoding for other in first.values()):
            first[item.place] = replace(item, first=True)
    for item in waiting:
        if all(item.group != other.group for other in first.values()):
            first[item.place] = replace(item, first=True)
    return list(first.values()), [item for item in waiting if item.place not in first]

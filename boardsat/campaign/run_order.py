"""Order of the runs of a campaign, with or without early stopping.

A solver that solves none of the shuffles and seeds of an encoding at one size will hardly solve a
larger instance. If a campaign names the parameter that makes instances harder, larger runs are
skipped: each has a record that says so, and counts as not solved.
"""

from __future__ import annotations

import heapq
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from boardsat.adapters.answer import TerminationReason
from boardsat.base.errors import InputError
from boardsat.campaign.folder import CampaignInstance
from boardsat.campaign.plan import Plan
from boardsat.campaign.runner.job_queue import RunListener
from boardsat.campaign.runner.records import Job, RunOutcome, RunRecord, unanswered
from boardsat.campaign.runner.store import Store

SHUFFLE = "shuffle"

Series = tuple[str, str, str]
"""Key of the encoding, solver and task of runs that differ only in size, shuffle and seed."""


class SequentialOrder:
    """Source of the jobs of a campaign in the order of its plan."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self.jobs = iter(jobs)
        self.records: list[RunRecord] = []
        """Records of all jobs that were not skipped."""
        self.num_skipped = 0

    def next(self) -> Job | None:
        """Return the next job. None at the end."""
        return next(self.jobs, None)

    def ended(self, job: Job, record: RunRecord) -> None:
        """Collect the record of a job."""
        self.records.append(record)


def run_order(
    plan: Plan, jobs: Sequence[Job], store: Store, listener: RunListener
) -> SequentialOrder:
    """Return the source of jobs: with early stopping if the campaign has `stop_after_unsolved`."""
    if not plan.campaign.options.stop_after_unsolved:
        return SequentialOrder(jobs)
    return EarlyStoppingOrder(plan, jobs, store, listener)


@dataclass
class _Level:
    """Runs of a series at one size."""

    size: float
    jobs: list[tuple[int, Job]] = field(default_factory=list)
    """Jobs with their positions in the plan."""
    num_pending: int = 0
    """Number of runs that have not ended."""
    is_solved: bool = False
    """True if a run has solved its instance."""


class EarlyStoppingOrder(SequentialOrder):
    """Source of the jobs of a campaign that skips sizes beyond an unsolved one.

    In each series a size is begun when all runs of the smaller size have ended.
    """

    def __init__(
        self, plan: Plan, jobs: Sequence[Job], store: Store, listener: RunListener
    ) -> None:
        super().__init__(())
        self.parameter = plan.campaign.options.stop_after_unsolved
        self.store, self.listener = store, listener
        sizes, self.encoding_keys = self._sizes_and_keys(plan)
        self.levels: dict[Series, list[_Level]] = {}
        """Sizes of each series that have not ended, the smallest last."""
        # Small sizes first, so that all encodings advance; equal sizes in the order of the plan.
        self.ready: list[tuple[float, int, Job]] = []
        for series, levels in self._levels_by_series(jobs, sizes):
            self.levels[series] = levels
            self._begin_level(series)

    def _sizes_and_keys(self, plan: Plan) -> tuple[dict[str, float], dict[str, str]]:
        """Return the sizes and the encoding keys of instances by name."""
        sizes, keys = {}, {}
        for instance in plan.instances:
            size = instance.description.parameters.get(self.parameter)
            if not isinstance(size, int | float):
                raise InputError(
                    "`stop_after_unsolved` must be a numeric parameter of every instance (got "
                    f"{self.parameter[:40]!r}, which {instance.name} does not have)",
                    location=plan.campaign.file,
                )
            sizes[instance.name] = size
            keys[instance.name] = _encoding_key(instance, self.parameter)
        return sizes, keys

    def _levels_by_series(
        self, jobs: Sequence[Job], sizes: Mapping[str, float]
    ) -> Iterator[tuple[Series, list[_Level]]]:
        """Yield the levels of each series, the smallest last."""
        levels_by_size: dict[Series, dict[float, _Level]] = defaultdict(dict)
        for position, job in enumerate(jobs):
            size = sizes[job.question.instance]
            level = levels_by_size[self._series(job)].setdefault(size, _Level(size))
            level.jobs.append((position, job))
        for series, levels in levels_by_size.items():
            yield series, [levels[size] for size in sorted(levels, reverse=True)]

    def _series(self, job: Job) -> Series:
        encoding_key = self.encoding_keys[job.question.instance]
        return encoding_key, job.identity.name, job.question.task

    def _begin_level(self, series: Series) -> None:
        """Make the jobs of the smallest size ready."""
        level = self.levels[series][-1]
        level.num_pending = len(level.jobs)
        for position, job in level.jobs:
            # Stored results come first: they take no time, and may begin the next level.
            priority = -math.inf if self.store.find(job) else level.size
            heapq.heappush(self.ready, (priority, position, job))

    def next(self) -> Job | None:
        """Return the ready job of the smallest size.

        None if all remaining jobs depend on running ones, or at the end.
        """
        return heapq.heappop(self.ready)[-1] if self.ready else None

    def ended(self, job: Job, record: RunRecord) -> None:
        """Collect the record of a job; after the last one of a size, begin or skip larger sizes."""
        super().ended(job, record)
        series = self._series(job)
        levels = self.levels[series]
        level = levels[-1]
        level.num_pending -= 1
        level.is_solved |= record.solved
        if level.num_pending:
            return
        levels.pop()
        if levels and level.is_solved:
            self._begin_level(series)
        while levels and not level.is_solved:
            for _, larger_job in levels.pop().jobs:
                self._skip(larger_job)

    def _skip(self, job: Job) -> None:
        """Store a record that the job was skipped, unless an earlier campaign has run it."""
        record = self.store.records.get(job.key)
        if record is None:
            reason = f"given up: none was solved with a smaller {self.parameter}"
            outcome = RunOutcome(reason=reason, end=TerminationReason.GIVEN_UP)
            record = unanswered(job, outcome)
            self.store.keep(record)
        self.num_skipped += record.skipped
        self.listener.ended(job, record)


def _encoding_key(instance: CampaignInstance, parameter: str) -> str:
    """Return everything that determines an instance except its size and shuffle, as JSON."""
    recipe, description = instance.source.recipe, instance.description
    settings = dict(recipe.settings) if recipe else {}
    settings.pop(parameter, None)
    transforms = {key: setting for key, setting in description.transforms.items() if key != SHUFFLE}
    graphs = recipe.graphs if recipe else {}
    entries = [description.problem, description.encoding, settings, transforms, graphs]
    return json.dumps(entries, sort_keys=True)

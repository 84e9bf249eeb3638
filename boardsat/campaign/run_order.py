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
from boardsat.campaign.instances import CampaignInstance
from boardsat.campaign.plan import Plan
from boardsat.campaign.runner import machine
from boardsat.campaign.runner.job_queue import RunListener
from boardsat.campaign.runner.records import Job, RunOutcome, RunRecord, unanswered
from boardsat.campaign.runner.store import Store

SHUFFLE = "shuffle"

Group = tuple[str, str, str]
"""What the instances have in common, the solver, and what it is asked."""


class SequentialOrder:
    """Source of the jobs of a campaign in the order of its plan."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self.jobs = iter(jobs)
        self.records: list[RunRecord] = []
        """Records of all jobs that were not skipped."""
        self.num_skipped = 0

    def next(self) -> Job | None:
        return next(self.jobs, None)

    def ended(self, job: Job, record: RunRecord) -> None:
        self.records.append(record)


def run_order(plan: Plan, jobs: Sequence[Job], store: Store, watch: RunListener) -> SequentialOrder:
    if not plan.campaign.options.stop_after_unsolved:
        return SequentialOrder(jobs)
    return EarlyStoppingOrder(plan, jobs, store, watch)


@dataclass
class _Level:
    """The runs of a group at one size."""

    size: float
    jobs: list[tuple[int, Job]] = field(default_factory=list)
    left: int = 0
    solved: bool = False


class EarlyStoppingOrder(SequentialOrder):
    """A group is a solver on one encoding; its next size is begun when the last one has ended."""

    def __init__(self, plan: Plan, jobs: Sequence[Job], store: Store, watch: RunListener) -> None:
        super().__init__(())
        self.parameter = plan.campaign.options.stop_after_unsolved
        self.store, self.watch = store, watch
        sizes, self.common = self._sorted(plan)
        self.levels: dict[Group, list[_Level]] = {}
        # The small ones first, so that all encodings get on; of one instance as they were planned.
        self.ready: list[tuple[float, int, Job]] = []
        for group, levels in self._grouped(jobs, sizes):
            self.levels[group] = levels
            self._open(group)

    def _sorted(self, plan: Plan) -> tuple[dict[str, float], dict[str, str]]:
        """The size of every instance, and what it has in common with others of other sizes."""
        sizes, groups = {}, {}
        for instance in plan.instances:
            size = instance.description.parameters.get(self.parameter)
            if not isinstance(size, int | float):
                raise InputError(
                    f"{instance.name} has no number {self.parameter[:40]!r}",
                    "name a parameter of every instance under `stop_after_unsolved`",
                    plan.campaign.file,
                )
            sizes[instance.name] = size
            groups[instance.name] = _common(instance, self.parameter)
        return sizes, groups

    def _grouped(
        self, jobs: Sequence[Job], sizes: Mapping[str, float]
    ) -> Iterator[tuple[Group, list[_Level]]]:
        """The levels of each group, the smallest last."""
        found: dict[Group, dict[float, _Level]] = defaultdict(dict)
        for number, job in enumerate(jobs):
            size = sizes[job.question.instance]
            level = found[self._group(job)].setdefault(size, _Level(size))
            level.jobs.append((number, job))
        for group, levels in found.items():
            yield group, [levels[size] for size in sorted(levels, reverse=True)]

    def _group(self, job: Job) -> Group:
        return self.common[job.question.instance], job.identity.name, job.question.task

    def _open(self, group: Group) -> None:
        """Its next level can be run."""
        level = self.levels[group][-1]
        level.left = len(level.jobs)
        for number, job in level.jobs:
            # What is known already comes first: it takes no time, and may open the next level.
            size = -math.inf if self.store.find(job) else level.size
            heapq.heappush(self.ready, (size, number, job))

    def next(self) -> Job | None:
        return heapq.heappop(self.ready)[-1] if self.ready else None

    def ended(self, job: Job, record: RunRecord) -> None:
        super().ended(job, record)
        group = self._group(job)
        levels = self.levels[group]
        level = levels[-1]
        level.left -= 1
        level.solved |= record.solved
        if level.left:
            return
        levels.pop()
        if levels and level.solved:
            self._open(group)
        while levels and not level.solved:
            for _, each in levels.pop().jobs:
                self._give_up(each)

    def _give_up(self, job: Job) -> None:
        """Its record, unless it has been run in spite of all."""
        known = self.store.records.get(job.key)
        if known is None:
            reason = f"given up: none was solved with a smaller {self.parameter}"
            outcome = RunOutcome(reason=reason, end=TerminationReason.GIVEN_UP)
            known = unanswered(job, outcome, machine.no_execution())
            self.store.keep(known)
        self.num_skipped += known.skipped
        self.watch.ended(job, known)


def _common(instance: CampaignInstance, parameter: str) -> str:
    recipe = instance.source.recipe
    settings = dict(recipe.settings) if recipe else {}
    settings.pop(parameter, None)
    transforms = {
        key: value for key, value in instance.description.transforms.items() if key != SHUFFLE
    }
    about = [
        instance.description.problem,
        instance.description.encoding,
        settings,
        transforms,
        recipe.graphs if recipe else {},
    ]
    return json.dumps(about, sort_keys=True)

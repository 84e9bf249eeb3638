"""The jobs of an archive: each instance goes its own way, and all go side by side.

An instance is prepared, solved, counted and finished, whatever the others do. Its files depend on
the order of the campaign alone, not on that in which its runs end.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

from boardsat.adapters.runtimes import Limits
from boardsat.archive import answers, storage
from boardsat.archive.answers import Panel
from boardsat.archive.instance_record import FORMAT, Identity, InstanceRecord
from boardsat.base import json_data
from boardsat.campaign.instances import CampaignInstance
from boardsat.campaign.plan import job_of
from boardsat.campaign.runner.recipe import Recipe
from boardsat.campaign.runner.records import (
    Attempt,
    Job,
    Output,
    RunRecord,
    RunTask,
    SolverIdentity,
)
from boardsat.campaign.runner.store import Store

Steps = Generator[Sequence[Job], Sequence[RunRecord], InstanceRecord]


@dataclass(frozen=True)
class Blueprint:
    """An instance that is to be made: its formula is known to be right."""

    instance: CampaignInstance
    recipe: Recipe
    about: dict[str, Any]
    """What a record has beside, from the header of the formula."""

    @property
    def name(self) -> str:
        return self.instance.name


def way_of(plan: Blueprint, folder: Path, panel: Panel, tool: str) -> Steps:
    """What to run for an instance, one step after the other, and its record in the end."""
    name = plan.name
    for ending in (storage.RECORD, storage.MODEL, storage.PROOF):
        (folder / (name + ending)).unlink(missing_ok=True)
    (prepared,) = yield [_preparation(plan.instance, folder)]
    told = storage.read(folder / prepared.artifacts.kept[0], storage.RECORD_BYTES)
    identity = json_data.decode(Identity, told)
    published = answers.published_count(plan.about["objects"])
    evidence = yield from answers.collect(plan.instance, panel, folder, published)
    record = InstanceRecord(
        format=FORMAT,
        name=name,
        tool=tool,
        recipe=plan.recipe,
        identity=identity,
        evidence=evidence,
        **plan.about,
    )
    storage.write(folder / record.file, [record.text()])
    return record


def _preparation(instance: CampaignInstance, folder: Path) -> Job:
    # The name is part of the key: two instances with the same formula become two files.
    identity = SolverIdentity("", "", "", setup=instance.name)
    output = Output(keep=str(folder))
    return job_of(instance, identity, RunTask.PREPARE, Limits(), Attempt(), output)


class _Instance:
    """Where an instance is on its way."""

    def __init__(self, number: int, plan: Blueprint, steps: Steps) -> None:
        self.number, self.plan, self.steps = number, plan, steps
        self.jobs: Sequence[Job] = ()
        self.ended: dict[str, RunRecord] = {}
        self.kept: set[str] = set()
        self.record: InstanceRecord | None = None

    def begin(self) -> Sequence[Job]:
        return self._after(lambda: next(self.steps))

    def take(self, job: Job, run: RunRecord) -> Sequence[Job]:
        """What can be run now that this has ended."""
        self.ended[job.key] = run
        self.kept.update(run.artifacts.kept)
        if len(self.ended) < len(self.jobs):
            return ()
        return self._after(self._sent)

    def _sent(self) -> Sequence[Job]:
        runs = [self.ended[job.key] for job in self.jobs]
        self.ended = {}
        return self.steps.send(runs)

    def _after(self, step: Callable[[], Sequence[Job]]) -> Sequence[Job]:
        try:
            self.jobs = step()
            while not self.jobs:
                self.jobs = self._sent()
        except StopIteration as end:
            self.jobs, self.record = (), end.value
        return self.jobs


class ArchiveJobs:
    """The jobs of all instances; those of earlier ones come first."""

    def __init__(
        self,
        plans: Iterable[Blueprint],
        begin: Callable[[Blueprint], Steps],
        folder: Path,
        store: Store,
        tell: Callable[[InstanceRecord], None],
    ) -> None:
        self.waiting = enumerate(plans)
        self.begin, self.folder, self.store, self.tell = begin, folder, store, tell
        self.ready: list[tuple[int, int, Job]] = []
        self.active: dict[str, _Instance] = {}

    def next(self) -> Job | None:
        while not self.ready:
            number, plan = next(self.waiting, (0, None))
            if plan is None:
                return None
            instance = _Instance(number, plan, self.begin(plan))
            self.active[plan.name] = instance
            self._offer(instance, instance.begin())
        job = heappop(self.ready)[-1]
        self._forget_lost(job)
        return job

    def ended(self, job: Job, record: RunRecord) -> None:
        instance = self.active[job.question.instance]
        file = storage.formula_name(job.question.instance, instance.plan.recipe.format)
        answers.check_run(record, str(self.folder / file))
        self._offer(instance, instance.take(job, record))

    def _offer(self, instance: _Instance, jobs: Sequence[Job]) -> None:
        for place, job in enumerate(jobs):
            heappush(self.ready, (instance.number, place, job))
        if instance.record is not None:
            self._finish(instance, instance.record)

    def _finish(self, instance: _Instance, record: InstanceRecord) -> None:
        del self.active[record.name]
        formula = instance.plan.instance.formula
        # One with the same formula may have been given the same files.
        if all(each.plan.instance.formula != formula for each in self.active.values()):
            for name in instance.kept:
                (self.folder / name).unlink(missing_ok=True)
        self.tell(record)

    def _forget_lost(self, job: Job) -> None:
        """What was left behind may be gone; and whoever reads a formula has just written it."""
        known = self.store.records.get(job.key)
        if known is None:
            return
        lost = any(not storage.is_own(self.folder / name) for name in known.artifacts.kept)
        if lost or job.question.task is RunTask.PREPARE:
            del self.store.records[job.key]

"""The run workflow: plan the runs, do those that are missing, and keep each as it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from boardsat.campaign import folder as folders
from boardsat.campaign.parser import TIMEOUT, Campaign
from boardsat.campaign.plan import Plan, draft
from boardsat.campaign.run_order import Order, arranged
from boardsat.campaign.runner.formula_cache import MOST_BYTES
from boardsat.campaign.runner.job_queue import JobSource, Watch
from boardsat.campaign.runner.records import Job, RunRecord
from boardsat.campaign.runner.store import Store


class Engine(Protocol):
    """Whatever runs jobs: the cores of this machine, or a cluster."""

    def run(self, source: JobSource) -> None: ...


OpenEngine = Callable[[Plan, Store, Watch], AbstractContextManager[Engine]]


@dataclass(frozen=True)
class Done:
    """What came of a campaign."""

    runs: int
    before: int
    """Of them, how many were there already."""
    answered: int
    wrong: tuple[RunRecord, ...]
    failed: tuple[RunRecord, ...]
    """Those that came to no end for a reason outside the solver: they are tried again next time."""
    given_up: int
    """Those that were not begun, as smaller ones were not solved."""
    records: Sequence[RunRecord]
    """Records of the runs that were begun, earlier ones included."""
    note: str
    """Line about records that are ignored; empty if there are none."""
    cut: str
    """The file whose last line was cut, so that its run was done again; empty where none was."""


class _Jobs:
    """The jobs of a plan in some order, and what came of them."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.answered = 0
        self.records: list[RunRecord] = []
        self.wrong: list[RunRecord] = []
        self.failed: list[RunRecord] = []

    def next(self) -> Job | None:
        return self.order.next()

    def ended(self, job: Job, record: RunRecord) -> None:
        self.order.ended(job, record)
        self.records.append(record)
        self.answered += record.answered and not record.fault
        if record.fault:
            self.wrong.append(record)
        elif not record.finished:
            self.failed.append(record)


@dataclass(frozen=True)
class Forecast:
    """What a campaign would take, at the most."""

    runs: int
    instances: int
    before: int
    seconds: float
    """Of all runs that are missing, one after the other."""
    formulas: int
    """Bytes of those that are kept at a time."""
    results: int


RECORD_BYTES = 1500
"""About, without a board."""


def forecast(campaign: Campaign, target: Path) -> Forecast:
    """What is to be expected; nothing is run, and nothing written."""
    instances, store = folders.known(target)
    planned = draft(campaign).planned(instances)
    missing = [job for job in planned.jobs() if store.find(job) is None]
    limits = campaign.limits
    each = limits.wall or limits.cpu or TIMEOUT
    size = sum(instance.bytes for instance in planned.instances if instance.recipe)
    return Forecast(
        planned.runs,
        len(planned.instances),
        planned.runs - len(missing),
        each * len(missing),
        min(size, MOST_BYTES),
        RECORD_BYTES * planned.runs,
    )


def run(
    campaign: Campaign,
    target: Path,
    engine: OpenEngine,
    watching: Callable[[int, int], AbstractContextManager[Watch]],
) -> Done:
    """Every run of the campaign that is not there yet; `watching` is told how many and how many
    there are."""
    asked = draft(campaign)
    with folders.opened(target, campaign.text) as (instances, store):
        cut = str(store.file.path) if store.file.mend else ""
        planned = asked.planned(instances)
        jobs = list(planned.jobs())
        before = sum(store.find(job) is not None for job in jobs)
        with (
            watching(len(jobs), before) as watch,
            engine(planned, store, watch) as opened,
        ):
            source = _Jobs(arranged(planned, jobs, store, watch))
            opened.run(source)
    return Done(
        len(jobs),
        before,
        source.answered,
        tuple(source.wrong),
        tuple(source.failed),
        source.order.given_up,
        source.records,
        folders.outdated_note(store),
        cut,
    )

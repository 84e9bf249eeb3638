"""Run workflow: plan the runs, do the missing ones on the chosen engine, and store each record.

The engine is the cores of this machine, the workers of a Dask scheduler, or jobs of a batch system.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from boardsat.adapters.command_clock import harness_limits
from boardsat.base.errors import InputError
from boardsat.campaign import folder as folders
from boardsat.campaign.parser import DEFAULT_TIMEOUT, Campaign
from boardsat.campaign.plan import Plan, draft
from boardsat.campaign.run_order import run_order
from boardsat.campaign.runner.cluster.batch import batch_engine
from boardsat.campaign.runner.cluster.dispatch import WorkerRequirements
from boardsat.campaign.runner.cluster.options import MARGIN_SECONDS, SYSTEMS, Options, parse_options
from boardsat.campaign.runner.cluster.remote_worker import handshake_request
from boardsat.campaign.runner.cluster.scheduler import PROTOCOLS, scheduler_engine
from boardsat.campaign.runner.formula_cache import MAX_CACHE_BYTES
from boardsat.campaign.runner.job_queue import JobQueue, JobSource, RunListener
from boardsat.campaign.runner.pool import cores_of, open_pool
from boardsat.campaign.runner.records import RunRecord
from boardsat.campaign.runner.store import Store

LOCAL = "local"
OVERHEAD_SECONDS = 5.0
"""Time of a run in addition to its limit: the formula is generated, the solver is stopped."""
RECORD_BYTES = 1500
"""Approximate size of a record without a board."""


class Engine(Protocol):
    """Executor of jobs."""

    def run(self, source: JobSource) -> None:
        """Run every job of the source, which is notified of each record."""


OpenEngine = Callable[[Plan, Store, RunListener], AbstractContextManager[Engine]]


@dataclass(frozen=True)
class CampaignResult:
    """Summary of a campaign after `run`."""

    runs: int
    before: int
    """Number of runs that had a record already."""
    answered: int
    wrong: Sequence[RunRecord]
    failed: Sequence[RunRecord]
    """Runs that failed for a reason outside the solver: they are tried again next time."""
    given_up: int
    """Number of runs that were skipped because smaller instances were not solved."""
    records: Sequence[RunRecord]
    """Records of all runs that were not skipped, earlier ones included."""
    note: str
    """Line about ignored records. Empty if there are none."""
    cut: str
    """Path of the file whose last line was cut, so that its run was done again. Empty if none."""


@dataclass(frozen=True)
class Forecast:
    """Upper bounds of what a campaign will take."""

    runs: int
    instances: int
    before: int
    seconds: float
    """Time of all missing runs one after the other."""
    formulas: int
    """Bytes of formulas in the cache at a time."""
    results: int
    """Bytes of records."""


def forecast(campaign: Campaign, target: Path) -> Forecast:
    """Plan a campaign and estimate its cost; run and write nothing."""
    instances, store = folders.known(target)
    plan = draft(campaign).planned(instances)
    missing = sum(store.find(job) is None for job in plan.jobs())
    size = sum(instance.size.bytes for instance in plan.instances if instance.source.recipe)
    return Forecast(
        runs=plan.runs,
        instances=len(plan.instances),
        before=plan.runs - missing,
        seconds=_run_seconds(campaign) * missing,
        formulas=min(size, MAX_CACHE_BYTES),
        results=RECORD_BYTES * plan.runs,
    )


def run(
    campaign: Campaign,
    target: Path,
    open_engine: OpenEngine,
    progress: Callable[[int, int], AbstractContextManager[RunListener]],
) -> CampaignResult:
    """Do every run of the campaign that has no record in the target folder.

    `progress` is called with the number of all runs and of those that have a record already.
    """
    drafted = draft(campaign)
    with folders.opened(target, campaign.text) as (instances, store):
        cut = str(store.file.path) if store.file.separator else ""
        plan = drafted.planned(instances)
        jobs = list(plan.jobs())
        before = sum(store.find(job) is not None for job in jobs)
        with (
            progress(len(jobs), before) as listener,
            open_engine(plan, store, listener) as engine,
        ):
            order = run_order(plan, jobs, store, listener)
            engine.run(order)
    records = order.records
    return CampaignResult(
        runs=len(jobs),
        before=before,
        answered=sum(record.solved for record in records),
        wrong=[record for record in records if record.outcome.fault],
        failed=[
            record for record in records if not (record.outcome.fault or record.outcome.finished)
        ],
        given_up=order.num_skipped,
        records=records,
        note=folders.outdated_note(store),
        cut=cut,
    )


def select_engine(
    on: str, jobs: int | None, campaign: Campaign, tell: Callable[[str], None]
) -> tuple[OpenEngine, int]:
    """Return the engine that an option `--on` names, and its number of cores as far as known."""
    if on == LOCAL:
        cores = cores_of(jobs)
        return lambda _, store, listener: open_pool(cores, store, listener), len(cores)
    if on.startswith(PROTOCOLS):
        _check_address(on)
        return lambda plan, store, listener: scheduler_engine(
            on, requirements(plan, jobs), JobQueue(store, listener), tell
        ), jobs or 1
    if on in SYSTEMS:
        options = parse_options(
            on, campaign.options.cluster, campaign.file, jobs, campaign.limits.memory
        )
        _check_walltime(campaign, options)
        return lambda plan, store, listener: batch_engine(
            options,
            store.file.path.parent,
            requirements(plan, None),
            JobQueue(store, listener),
            tell,
        ), options.jobs
    choices = ", ".join((LOCAL, *(f"{each}HOST:PORT" for each in PROTOCOLS), *SYSTEMS))
    raise InputError(f"no place {on[:80]!r} to run", f"choose from: {choices}", "--on")


def _check_address(address: str) -> None:
    """Raise InputError if an address has no host and port: Dask would wait for it for long."""
    try:
        url = urlsplit(address)
        valid = bool(url.hostname and url.port)
    except ValueError:
        valid = False
    if not valid:
        example = f"{address.partition(':')[0]}://HOST:8786"
        raise InputError(f"no host and port in {address[:80]!r}", f"write {example}", "--on")


def requirements(plan: Plan, max_runs: int | None) -> WorkerRequirements:
    """Return what a campaign requires of each worker of a cluster."""
    configs = (*plan.solvers, *plan.counters)
    request = handshake_request(configs, plan.campaign.options.proof)
    return WorkerRequirements(request, max_run_seconds(plan.campaign), max_runs)


def max_run_seconds(campaign: Campaign) -> float:
    """Return the seconds that a run may take, the check of its proof included."""
    checking = harness_limits(campaign.limits).wall or 0.0 if campaign.options.proof else 0.0
    return _run_seconds(campaign) + checking + OVERHEAD_SECONDS


def _run_seconds(campaign: Campaign) -> float:
    return campaign.limits.wall or campaign.limits.cpu or DEFAULT_TIMEOUT


def _check_walltime(campaign: Campaign, options: Options) -> None:
    """Raise InputError if workers of a batch system end before a run may."""
    seconds = max_run_seconds(campaign)
    if options.walltime is not None and seconds + MARGIN_SECONDS >= options.walltime:
        raise InputError(
            f"a run may take {seconds:.0f} s, a worker lasts {options.walltime} s",
            "raise `walltime`, or lower `timeout` under `limits`",
            f"{campaign.file}: cluster",
        )

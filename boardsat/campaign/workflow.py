"""Run workflow: plan the runs, execute the missing ones on an engine, and store each record.

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
from boardsat.campaign.plan import Plan, draft_plan
from boardsat.campaign.run_order import run_order
from boardsat.campaign.runner.batch import (
    MARGIN_SECONDS,
    SYSTEMS,
    Options,
    batch_engine,
    parse_options,
)
from boardsat.campaign.runner.dispatch import PROTOCOLS, WorkerRequirements, scheduler_engine
from boardsat.campaign.runner.formula_cache import MAX_CACHE_BYTES
from boardsat.campaign.runner.job_queue import JobQueue, JobSource, RunListener
from boardsat.campaign.runner.pool import cores_of, open_pool
from boardsat.campaign.runner.records import RunRecord
from boardsat.campaign.runner.remote_worker import handshake_request
from boardsat.campaign.runner.store import Store

LOCAL = "local"
OVERHEAD_SECONDS = 5.0
"""Seconds in addition to the limit of a run, to generate the formula and to stop the solver."""
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
    num_stored: int
    """Number of runs that had a record already."""
    answered: int
    """Number of runs with an answer that no check has refuted."""
    wrong: Sequence[RunRecord]
    """Runs with a refuted answer."""
    failed: Sequence[RunRecord]
    """Runs that failed for a reason outside the solver: they are tried again next time."""
    given_up: int
    """Number of runs that were skipped because smaller instances were not solved."""
    records: Sequence[RunRecord]
    """Records of all runs that were not skipped, earlier ones included."""
    note: str
    """Line about ignored records. Empty if no record was ignored."""
    cut: str
    """Path of the file whose last line was cut, to repeat its run. Empty if none was."""


@dataclass(frozen=True)
class Forecast:
    """Upper bounds of the time and disk space of a campaign."""

    runs: int
    instances: int
    num_stored: int
    """Number of runs that have a record already."""
    seconds: float
    """Time in seconds of all missing runs, one after the other."""
    formulas: int
    """Size in bytes of the formulas that are in the cache at the same time."""
    results: int
    """Size in bytes of the records."""


def forecast(campaign: Campaign, target: Path) -> Forecast:
    """Plan a campaign and estimate its cost; run and write nothing."""
    instances, store = folders.read_stored_results(target)
    plan = draft_plan(campaign).complete(instances)
    missing = sum(store.find(job) is None for job in plan.jobs())
    size = sum(instance.size.bytes for instance in plan.instances if instance.source.recipe)
    return Forecast(
        runs=plan.num_runs,
        instances=len(plan.instances),
        num_stored=plan.num_runs - missing,
        seconds=_run_seconds(campaign) * missing,
        formulas=min(size, MAX_CACHE_BYTES),
        results=RECORD_BYTES * plan.num_runs,
    )


def run(
    campaign: Campaign,
    target: Path,
    open_engine: OpenEngine,
    progress: Callable[[int, int], AbstractContextManager[RunListener]],
) -> CampaignResult:
    """Execute every run of the campaign that has no record in the target folder.

    Parameters
    ----------
    campaign : Campaign
        Campaign, see `read_campaign`.
    target : Path
        Folder of the results, new or of an earlier run.
    open_engine : callable
        Engine that executes the runs, see `select_engine`.
    progress : callable
        Called with the number of all runs and of those that have a record already; returns a
        context manager of the listener.

    Returns
    -------
    CampaignResult
        Records of all runs, stored ones included.

    Raises
    ------
    InputError
        The campaign is invalid, or the folder has other files.
    SolverError
        A solver or the engine cannot run here.
    """
    draft = draft_plan(campaign)
    with folders.open_results(target, campaign.text) as (instances, store):
        cut = str(store.file.path) if store.file.separator else ""
        plan = draft.complete(instances)
        jobs = list(plan.jobs())
        num_stored = sum(store.find(job) is not None for job in jobs)
        with (
            progress(len(jobs), num_stored) as listener,
            open_engine(plan, store, listener) as engine,
        ):
            order = run_order(plan, jobs, store, listener)
            engine.run(order)
    records = order.records
    return CampaignResult(
        runs=len(jobs),
        num_stored=num_stored,
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
    on: str, jobs: int | None, campaign: Campaign, print_note: Callable[[str], None]
) -> tuple[OpenEngine, int]:
    """Return the engine that the option `--on` names, and the number of runs at a time.

    Parameters
    ----------
    on : str
        `local`, the address of a Dask scheduler, or a batch system.
    jobs : int, optional
        Number of runs at a time. Default: all local cores, or the option of the batch system.
    campaign : Campaign
        Campaign whose runs are executed.
    print_note : callable
        Called with lines about the workers of a cluster.
    """
    if on == LOCAL:
        cores = cores_of(jobs)
        return lambda _, store, listener: open_pool(cores, store, listener), len(cores)
    if on.startswith(PROTOCOLS):
        _check_address(on)
        return lambda plan, store, listener: scheduler_engine(
            on, requirements(plan, jobs), JobQueue(store, listener), print_note
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
            print_note,
        ), options.jobs
    choices = ", ".join((LOCAL, *(f"{protocol}HOST:PORT" for protocol in PROTOCOLS), *SYSTEMS))
    raise InputError(f"--on must name an engine (got {on[:80]!r})", f"choose from: {choices}")


def _check_address(address: str) -> None:
    """Raise InputError if an address has no host or port: Dask would try for long to connect."""
    try:
        url = urlsplit(address)
        valid = bool(url.hostname and url.port)
    except ValueError:
        valid = False
    if not valid:
        example = f"{address.partition(':')[0]}://HOST:8786"
        fault = f"the address must have a host and a port (got {address[:80]!r})"
        raise InputError(fault, f"write {example}", "--on")


def requirements(plan: Plan, max_runs: int | None) -> WorkerRequirements:
    """Return the requirements of a campaign on each worker of a cluster.

    `max_runs` is the maximum number of runs at a time. None for as many as the workers can do.
    """
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
    seconds = max_run_seconds(campaign) + MARGIN_SECONDS
    if options.walltime is not None and seconds >= options.walltime:
        raise InputError(
            f"walltime must be more than {seconds:.0f} s, the maximum time of a run "
            f"(got {options.walltime} s)",
            "raise `walltime`, or lower `timeout` under `limits`",
            f"{campaign.file}: cluster",
        )

"""Where a campaign runs: on the cores of this machine, or on the workers of a scheduler."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from urllib.parse import urlsplit

from boardsat.base.errors import InputError
from boardsat.campaign.parser import TIMEOUT, Campaign
from boardsat.campaign.plan import Plan
from boardsat.campaign.runner.cluster.batch import in_batches
from boardsat.campaign.runner.cluster.dispatch import Terms
from boardsat.campaign.runner.cluster.handshake import question
from boardsat.campaign.runner.cluster.options import MARGIN, SYSTEMS, Options, options
from boardsat.campaign.runner.cluster.scheduler import PROTOCOLS, at_scheduler
from boardsat.campaign.runner.job_queue import Books, Watch
from boardsat.campaign.runner.pool import cores_of, pool_of
from boardsat.campaign.runner.store import Store
from boardsat.campaign.workflow import Engine, OpenEngine
from boardsat.clock import harness_limits

LOCAL = "local"
AROUND = 5.0
"""Seconds of a run beside its limit: the formula is made, the solver is stopped."""


def engine(
    on: str, jobs: int | None, campaign: Campaign, tell: Callable[[str], None]
) -> tuple[OpenEngine, int]:
    """What runs the campaign, and on how many cores as far as that is known."""
    if on == LOCAL:
        cores = cores_of(jobs)
        return lambda _, store, watch: pool_of(cores, store, watch), len(cores)
    if on.startswith(PROTOCOLS):
        _refuse_no_port(on)

        def opened(plan: Plan, store: Store, watch: Watch) -> AbstractContextManager[Engine]:
            return at_scheduler(on, terms(plan, jobs), Books(store, watch), tell)

        return opened, jobs or 1
    if on in SYSTEMS:
        wanted = options(on, campaign.cluster, campaign.file, jobs, campaign.limits.memory)
        _refuse_longer(campaign, wanted)

        def submitted(plan: Plan, store: Store, watch: Watch) -> AbstractContextManager[Engine]:
            folder = store.file.path.parent
            return in_batches(wanted, folder, terms(plan, None), Books(store, watch), tell)

        return submitted, wanted.jobs
    known = ", ".join((LOCAL, *(f"{each}HOST:PORT" for each in PROTOCOLS), *SYSTEMS))
    raise InputError(f"no place {on[:80]!r} to run", f"choose from: {known}", "--on")


def _refuse_no_port(address: str) -> None:
    """Before Dask looks at it, which does not get over such an address for a while."""
    try:
        place = urlsplit(address)
        known = bool(place.hostname and place.port)
    except ValueError:
        known = False
    if not known:
        example = f"{address.partition(':')[0]}://HOST:8786"
        raise InputError(f"no host and port in {address[:80]!r}", f"write {example}", "--on")


def terms(plan: Plan, most: int | None) -> Terms:
    chosen = (*plan.solvers, *plan.counters)
    return Terms(question(chosen, plan.campaign.proof), longest(plan.campaign), most)


def longest(campaign: Campaign) -> float:
    """Return the seconds that a run may take, the check of its proof included."""
    limits = campaign.limits
    checking = harness_limits(limits).wall or 0.0 if campaign.proof else 0.0
    return (limits.wall or limits.cpu or TIMEOUT) + checking + AROUND


def _refuse_longer(campaign: Campaign, wanted: Options) -> None:
    if wanted.walltime is not None and longest(campaign) + MARGIN >= wanted.walltime:
        raise InputError(
            f"a run may take {longest(campaign):.0f} s, a worker lasts {wanted.walltime} s",
            "raise `walltime`, or lower `timeout` under `limits`",
            f"{campaign.file}: cluster",
        )

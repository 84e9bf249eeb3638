"""Scheduler engine: connect to a running Dask scheduler, whose workers somebody else started."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

from boardsat.base.errors import SolverError
from boardsat.base.text import one_line
from boardsat.campaign.runner.cluster.dispatch import PATIENCE, Cluster, WorkerRequirements
from boardsat.campaign.runner.job_queue import JobQueue
from boardsat.campaign.runner.pool import ignore_signals

CONNECT_SECONDS = 8.0
EXTRA = "pip install 'boardsat[cluster]'"
PROTOCOLS = ("tcp://", "tls://")


class ExternalWorkers:
    """A scheduler whose workers are somebody else's."""

    def __init__(self, address: str) -> None:
        self.address = address

    def dashboard(self, client: Any) -> str:
        # A scheduler may be told to have none.
        with suppress(KeyError):
            return str(client.dashboard_link)
        return ""

    def renew(self) -> None:
        return

    def retire(self, addresses: list[str]) -> None:
        return

    def absent(self) -> float | None:
        return PATIENCE


@contextmanager
def scheduler_engine(
    address: str, requirements: WorkerRequirements, jobs: JobQueue, tell: Callable[[str], None]
) -> Iterator[Cluster]:
    with (
        silence_dask(),
        connect(address) as client,
        closing(Cluster(client, ExternalWorkers(address), requirements, jobs, tell)) as engine,
    ):
        yield engine


@contextmanager
def silence_dask() -> Iterator[None]:
    """Dask tells of everything that happens to it; what matters is told by us."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


@contextmanager
def connect(address: Any) -> Iterator[Any]:
    """A client of a scheduler, or of a Dask cluster of ours."""
    distributed = import_extra("distributed")
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:  # of the network, of TLS, of addresses, all of different kinds
        raise SolverError(
            f"cannot reach the scheduler: {one_line(str(error))[:200]}",
            "is `dask scheduler` running there?",
            str(address),
        ) from None
    try:
        yield client
    finally:
        with ignore_signals():
            client.close(timeout=5)


def import_extra(name: str) -> Any:
    """A module of the extra, which is large and which few need."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise SolverError(f"{error.name or name} is not installed", EXTRA, "--on") from None

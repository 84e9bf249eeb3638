"""Scheduler engine: connect to a running Dask scheduler, whose workers the user has started."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

from boardsat.base.errors import SolverError
from boardsat.base.text import one_line
from boardsat.campaign.runner.cluster.dispatch import (
    MAX_WAIT_SECONDS,
    Cluster,
    WorkerRequirements,
)
from boardsat.campaign.runner.job_queue import JobQueue
from boardsat.campaign.runner.pool import ignore_signals

CONNECT_SECONDS = 8.0
"""Time limit in seconds for the connection to a scheduler."""
INSTALL_COMMAND = "pip install 'boardsat[cluster]'"
PROTOCOLS = ("tcp://", "tls://")


class ExternalWorkers:
    """Provider of workers that the user starts and stops."""

    def __init__(self, address: str) -> None:
        self.address = address

    def dashboard(self, client: Any) -> str:
        """Return the address of the dashboard. Empty if the scheduler was started without one."""
        with suppress(KeyError):
            return str(client.dashboard_link)
        return ""

    def renew(self) -> None:
        """Do nothing: the user decides on the number of workers."""

    def retire(self, addresses: list[str]) -> None:
        """Do nothing: the workers close at the end of their lifetime."""

    def max_wait(self) -> float | None:
        """Return the seconds to wait while there is no worker."""
        return MAX_WAIT_SECONDS


@contextmanager
def scheduler_engine(
    address: str,
    requirements: WorkerRequirements,
    jobs: JobQueue,
    print_note: Callable[[str], None],
) -> Iterator[Cluster]:
    """Open an engine on the workers of a Dask scheduler at an address."""
    with (
        silence_dask(),
        connect(address) as client,
        closing(
            Cluster(client, ExternalWorkers(address), requirements, jobs, print_note)
        ) as engine,
    ):
        yield engine


@contextmanager
def silence_dask() -> Iterator[None]:
    """Suppress log messages and warnings of Dask; important events are reported by boardsat."""
    level = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)


@contextmanager
def connect(address: Any) -> Iterator[Any]:
    """Open a client of a scheduler, given by its address or as a Dask cluster object."""
    distributed = import_extra("distributed")
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:  # errors of network, TLS and address have no common class
        raise SolverError(
            f"cannot reach the scheduler: {one_line(str(error))[:200]}",
            "start `dask scheduler` there",
            str(address),
        ) from None
    try:
        yield client
    finally:
        with ignore_signals():
            client.close(timeout=5)


def import_extra(name: str) -> Any:
    """Import a module of the extra `cluster`; raise SolverError if it is not installed."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise SolverError(
            f"{error.name or name} is not installed", INSTALL_COMMAND, "--on"
        ) from None

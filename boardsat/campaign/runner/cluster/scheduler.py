"""A Dask scheduler that is there already, and the way to it."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from boardsat.base.errors import SolverError
from boardsat.base.text import one_line
from boardsat.campaign.runner.cluster.dispatch import PATIENCE, Cluster, Supply, Terms
from boardsat.campaign.runner.job_queue import Books
from boardsat.campaign.runner.pool import undisturbed

CONNECT_SECONDS = 8.0
EXTRA = "pip install 'boardsat[cluster]'"
PROTOCOLS = ("tcp://", "tls://")


class Given:
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
def at_scheduler(
    address: str, asked: Terms, books: Books, tell: Callable[[str], None]
) -> Iterator[Cluster]:
    with (
        quiet(),
        connected(address) as client,
        dispatching(client, Given(address), asked, books, tell) as it,
    ):
        yield it


@contextmanager
def quiet() -> Iterator[None]:
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
def connected(address: Any) -> Iterator[Any]:
    """A client of a scheduler, or of a Dask cluster of ours."""
    distributed = imported("distributed")
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
        with undisturbed():
            client.close(timeout=5)


@contextmanager
def dispatching(
    client: Any, supply: Supply, asked: Terms, books: Books, tell: Callable[[str], None]
) -> Iterator[Cluster]:
    if link := supply.dashboard(client):
        tell(f"{supply.address}: dashboard at {link}")
    opened = Cluster(client, supply, asked, books, tell)
    try:
        yield opened
    finally:
        with undisturbed():
            opened.close()


def imported(name: str) -> Any:
    """A module of the extra, which is large and which few need."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise SolverError(f"{error.name or name} is not installed", EXTRA, "--on") from None

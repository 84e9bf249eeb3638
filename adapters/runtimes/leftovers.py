"""Containers that killed runs left in an engine; only those of processes that have ended.

An engine may serve other machines too: theirs are left alone.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from http import HTTPStatus
from typing import Any

from docker.errors import APIError, NotFound

from boardsat.adapters.runtimes.engine import EngineError, asked, done, talking
from boardsat.base.process_id import has_ended

LABEL = "boardsat.run"
"""Whose container it is."""


def remove_containers() -> int:
    """Remove those whose processes were killed, with their volumes; how many."""
    with talking():
        left = asked(_left)
        for identifier in left:
            _remove(identifier)
    return len(left)


@cache
def remove_once() -> None:
    """The same when this process first needs the engine; a fault in that is no fault of its own."""
    with suppress(EngineError, APIError):
        for identifier in asked(_left):
            _remove(identifier)


def _left(client: Any) -> list[str]:
    # Only their names: another run may remove one of its own at any time.
    found = client.api.containers(all=True, filters={"label": LABEL})
    return [str(about["Id"]) for about in found if has_ended(str(about["Labels"][LABEL]))]


def _remove(identifier: str) -> None:
    """Remove a container, or wait for the end of another command that is removing it."""
    try:
        done(lambda client: client.api.remove_container(identifier, force=True, v=True))
    except NotFound:
        return
    except APIError as error:
        if error.status_code != HTTPStatus.CONFLICT:
            raise
        with suppress(NotFound):
            done(lambda client: client.api.wait(identifier, condition="removed"))

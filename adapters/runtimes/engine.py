"""Client of the container engine: connection, queries with a time limit, errors in one line.

The SDK restarts its timeout with every byte, and trusts whatever it reads. So each of its calls
runs in a thread with a time limit, and unexpected replies become errors of one line.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any, TypeVar

import urllib3

# Never plain `import docker`: in a checkout without the SDK that succeeds, with the folder docker/.
from docker.client import DockerClient
from docker.errors import APIError, BuildError, DockerException, ImageNotFound, NotFound

from boardsat.adapters.runtimes import engine_socket
from boardsat.adapters.runtimes.engine_socket import (
    NO_ENGINE,
    RESTART_REMEDY,
    START_REMEDY,
    EngineError,
)
from boardsat.adapters.runtimes.versions import UNKNOWN
from boardsat.base.errors import BoardsatError, SolverError
from boardsat.base.process_id import has_ended

CHANGE_SECONDS = 30.0
"""Time limit in seconds to create, start, stop or remove a container on a busy machine."""

MIN_BYTES_PER_SECOND = 10**6
"""Minimum speed at which a file is sent or received."""

CONNECTION_ERRORS = (DockerException, OSError, urllib3.exceptions.HTTPError)
"""Exceptions of the SDK if a connection fails; those of the library `requests` are OSErrors."""

PERMISSION_REMEDY = (
    "join the group that owns its socket (`usermod -aG docker USER`), or set DOCKER_HOST"
)
LOG_REMEDY = "see the log of the engine"
NONSENSE = "answers nonsense"

_NOT_LISTENING_ERRORS = (FileNotFoundError, ConnectionRefusedError, socket.gaierror)
"""Exceptions if no process listens at the address of the engine."""

Reply = TypeVar("Reply")


@dataclass
class _Connection:
    """Connection to the engine, or the reason why it cannot be used."""

    client: Any
    """Client of the SDK; None if the engine cannot be used."""
    fault: tuple[str, str] = ("", "")
    """Fault and remedy; empty if the engine can be used."""

    def abandon(self, fault: str, remedy: str) -> EngineError:
        """Mark the engine as unusable, because it did not reply in time; return the error."""
        self.client, self.fault = None, (fault, remedy)
        return EngineError(fault, remedy)


def client() -> Any:
    """Return the client of the engine at DOCKER_HOST or of the local one. None if unusable."""
    return _connection().client


def engine_fault() -> tuple[str, str]:
    """Return the reason why the engine cannot be used, and its remedy; empty if it can."""
    return _connection().fault


@cache
def _connection() -> _Connection:
    """Connect to the engine at the first call of this process."""
    connection = _Connection(None)
    try:
        connection.client = _call_within(engine_socket.QUERY_SECONDS, _new_client, connection)
    except CONNECTION_ERRORS as error:
        connection.fault = explain_failure(error)
    except EngineError as error:
        connection.fault = (error.fault, error.remedy)
    return connection


def _new_client() -> DockerClient:
    """Return a client whose engine replies; raise an error of the SDK, or ValueError, otherwise."""
    new_client = DockerClient.from_env(timeout=60)
    if not new_client.ping():
        raise ValueError("it is not an engine")
    return new_client


def query_engine(call: Callable[[Any], Reply], seconds: float | None = None) -> Reply:
    """Call a function with the client of the engine, within a time limit.

    Parameters
    ----------
    call : callable
        Function of the client.
    seconds : float, optional
        Time limit of the call. Default: that of a short query.

    Raises
    ------
    EngineError
        The engine cannot be used, does not reply in time, or replies nonsense.
    APIError, BuildError
        The engine refuses the request.
    """
    connection = _connection()
    if connection.client is None:
        raise EngineError(*connection.fault)
    usable_client = connection.client
    time_limit = seconds or engine_socket.QUERY_SECONDS
    try:
        return _call_within(time_limit, lambda: call(usable_client), connection)
    except (APIError, BuildError):
        raise
    except CONNECTION_ERRORS as error:
        raise EngineError(
            f"the engine does not answer any more: {short_text(error)}",
            "start it again: the next run removes what is left",
        ) from None


def change_engine(call: Callable[[Any], Reply]) -> Reply:
    """Call `query_engine` with the time limit for creating, starting or removing a container."""
    return query_engine(call, CHANGE_SECONDS)


def _call_within(seconds: float, call: Callable[[], Reply], connection: _Connection) -> Reply:
    """Return the result of a call; raise EngineError if it takes longer or replies nonsense."""
    replies: list[Reply] = []
    errors: list[Exception] = []

    def work() -> None:
        try:
            replies.append(call())
        except Exception as error:
            errors.append(error)

    # A thread that hangs in the call is left alone: it ends with this process.
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    if replies:
        return replies[0]
    if not errors:
        fault = f"the engine does not answer within {seconds:.0f} s"
        raise connection.abandon(fault, RESTART_REMEDY)
    if _is_nonsense(errors[0]):
        raise EngineError(f"the engine {NONSENSE} ({short_text(errors[0])})", RESTART_REMEDY)
    raise errors[0]


def explain_failure(error: BaseException) -> tuple[str, str]:
    """Return the fault of a failed connection, and its remedy.

    The fault is a missing engine, a missing permission, a refusal, no reply, or an invalid reply.
    """
    chain = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) and cause not in chain:
        chain.append(cause)
    if any(isinstance(link, PermissionError) for link in chain):
        return "no permission to use the engine", PERMISSION_REMEDY
    if isinstance(error, APIError):
        return f"the engine refuses ({short_text(error)})", LOG_REMEDY
    if any(isinstance(link, _NOT_LISTENING_ERRORS) for link in chain):
        return NO_ENGINE, START_REMEDY
    # The SDK wraps the exception that it caught.
    original = chain[:2][-1]
    is_silent = isinstance(original, OSError) and not _is_nonsense(original)
    reaction = "does not answer" if is_silent else NONSENSE
    return f"the engine {reaction} ({short_text(original)})", RESTART_REMEDY


def _is_nonsense(error: BaseException) -> bool:
    """Return True if the engine replied, but not as the SDK expects."""
    # A reply that is not JSON raises an error that is both an OSError and a ValueError.
    return isinstance(error, ValueError) or not isinstance(
        error, (BoardsatError, *CONNECTION_ERRORS)
    )


@contextmanager
def translate_engine_errors() -> Iterator[None]:
    """Re-raise an APIError, by which the engine refuses a request, as SolverError."""
    try:
        yield
    except APIError as error:
        raise SolverError(f"the engine refuses: {short_text(error)}", LOG_REMEDY) from None


def short_text(error: BaseException) -> str:
    """Return the explanation of an error in one printable line of at most 200 characters."""
    text = str(getattr(error, "explanation", None) or error) or type(error).__name__
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(printable.split())[:200]


CONTAINER_LABEL = "boardsat.run"
"""Label of a container; its value is the identifier of the boardsat process that started it."""


def remove_stale_containers() -> int:
    """Remove containers, with their volumes, whose processes have ended; return their number."""
    with translate_engine_errors():
        identifiers = query_engine(_stale_containers)
        for identifier in identifiers:
            _remove(identifier)
    return len(identifiers)


@cache
def remove_stale_containers_once() -> None:
    """Remove stale containers at the first call of this process; ignore errors of the engine."""
    with suppress(EngineError, APIError):
        for identifier in query_engine(_stale_containers):
            _remove(identifier)


def _stale_containers(client: Any) -> list[str]:
    """Return the identifiers of containers whose processes have ended."""
    # Objects of the SDK would need queries, and another run may remove a container at any time.
    containers = client.api.containers(all=True, filters={"label": CONTAINER_LABEL})
    return [
        str(container["Id"])
        for container in containers
        if has_ended(str(container["Labels"][CONTAINER_LABEL]))
    ]


def _remove(identifier: str) -> None:
    """Remove a container, or wait for the end of another command that is removing it."""
    try:
        change_engine(lambda client: client.api.remove_container(identifier, force=True, v=True))
    except NotFound:
        return
    except APIError as error:
        if error.status_code != HTTPStatus.CONFLICT:
            raise
        with suppress(NotFound):
            change_engine(lambda client: client.api.wait(identifier, condition="removed"))


VERSION_LABEL = "org.opencontainers.image.version"


def image_fault(name: str) -> tuple[str, str]:
    """Return the fault of a query for an image, and its remedy.

    The fault is empty if the engine answers. The remedy is empty if the engine has the image.
    """
    try:
        query_engine(lambda client: _image_label(client.images.get(name)))
    except ImageNotFound:
        return "", "build the image"
    except APIError as error:
        return f"the engine refuses ({short_text(error)})", LOG_REMEDY
    return "", ""


def image_label(name: str) -> tuple[str, str]:
    """Return the digest of an image, and the version on its label."""
    remove_stale_containers_once()
    with translate_engine_errors():
        return query_engine(lambda client: _image_label(client.images.get(name)))


def _image_label(image: Any) -> tuple[str, str]:
    return str(image.id), str(image.labels.get(VERSION_LABEL, UNKNOWN))

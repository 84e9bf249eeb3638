"""The Docker engine: whether it is available, why not, and questions to it that come to an end.

The SDK waits anew with every byte, and believes whatever it reads. So each of its calls has a clock
of ours, and what is no answer is one line.
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
"""Seconds to create, start, end or remove something on a busy machine."""
MIN_BYTES_PER_SECOND = 10**6
"""A second, that a file is sent or received with at least."""

CONNECTION_ERRORS = (DockerException, OSError, urllib3.exceptions.HTTPError)
"""What the SDK raises where a connection fails; what requests raises is an OSError."""

PERMISSION_REMEDY = (
    "join the group that owns its socket (`usermod -aG docker USER`), or set DOCKER_HOST"
)
NONSENSE = "answers nonsense"

_NOBODY = (FileNotFoundError, ConnectionRefusedError, socket.gaierror)
"""Nothing listens there."""

Given = TypeVar("Given")


@dataclass
class _Engine:
    client: Any
    engine_fault: tuple[str, str] = ("", "")

    def give_up(self, fault: str, remedy: str) -> EngineError:
        """One that was silent once is not waited for again."""
        self.client, self.lack = None, (fault, remedy)
        return EngineError(fault, remedy)


def client() -> Any:
    """The engine that DOCKER_HOST names, or the local one; None where there is none."""
    return _found().client


def engine_fault() -> tuple[str, str]:
    """Why there is none, and what to do about it."""
    return _found().lack


@cache
def _found() -> _Engine:
    engine = _Engine(None)
    try:
        engine.client = _within(engine_socket.QUERY_SECONDS, _met, engine)
    except CONNECTION_ERRORS as error:
        engine.lack = explain_failure(error)
    except EngineError as error:
        engine.lack = (error.fault, error.remedy)
    return engine


def _met() -> DockerClient:
    found = DockerClient.from_env(timeout=60)
    if not found.ping():
        raise ValueError("it is no engine")
    return found


def query_engine(call: Callable[[Any], Given], seconds: float | None = None) -> Given:
    """What a call gives, of those that take the client; what the engine refuses is an APIError."""
    engine = _found()
    if engine.client is None:
        raise EngineError(*engine.lack)
    client = engine.client
    try:
        return _within(seconds or engine_socket.QUERY_SECONDS, lambda: call(client), engine)
    except (APIError, BuildError):
        raise
    except CONNECTION_ERRORS as error:
        raise EngineError(
            f"the engine does not answer any more: {short_text(error)}",
            "start it again: the next run removes what is left",
        ) from None


def change_engine(call: Callable[[Any], Given]) -> Given:
    """The same for what changes something, and may take longer."""
    return query_engine(call, CHANGE_SECONDS)


def _within(seconds: float, call: Callable[[], Given], engine: _Engine) -> Given:
    given: list[Given] = []
    faults: list[Exception] = []

    def work() -> None:
        try:
            given.append(call())
        except Exception as error:
            faults.append(error)

    # Whoever hangs in it is left alone: it ends with this process.
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    if given:
        return given[0]
    if not faults:
        raise engine.give_up(f"the engine does not answer within {seconds:.0f} s", RESTART_REMEDY)
    fault = faults[0]
    if _is_nonsense(fault):
        raise EngineError(f"the engine {NONSENSE} ({short_text(fault)})", RESTART_REMEDY)
    raise fault


def explain_failure(error: BaseException) -> tuple[str, str]:
    """What keeps us from an engine, and the remedy: one that may not be used is not missing."""
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) and cause not in causes:
        causes.append(cause)
    if any(isinstance(each, PermissionError) for each in causes):
        return "no permission to use the engine", PERMISSION_REMEDY
    if isinstance(error, APIError):
        return f"the engine refuses ({short_text(error)})", "see its log"
    if any(isinstance(each, _NOBODY) for each in causes):
        return NO_ENGINE, START_REMEDY
    # The SDK wraps what it met with.
    met = causes[:2][-1]
    what = "does not answer" if isinstance(met, OSError) and not _is_nonsense(met) else NONSENSE
    return f"the engine {what} ({short_text(met)})", RESTART_REMEDY


def _is_nonsense(fault: BaseException) -> bool:
    """Whether something came, but not what was asked for."""
    # What is no JSON is told both as a matter of the connection and as a wrong value.
    return isinstance(fault, ValueError) or not isinstance(
        fault, (BoardsatError, *CONNECTION_ERRORS)
    )


@contextmanager
def translate_engine_errors() -> Iterator[None]:
    """What the engine refuses is one line."""
    try:
        yield
    except APIError as error:
        raise SolverError(f"the engine refuses: {short_text(error)}", "see its log") from None


def short_text(error: BaseException) -> str:
    text = str(getattr(error, "explanation", None) or error) or type(error).__name__
    shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(shown.split())[:200]


CONTAINER_LABEL = "boardsat.run"
"""Whose container it is."""


def remove_stale_containers() -> int:
    """Remove those whose processes were killed, with their volumes; how many."""
    with translate_engine_errors():
        left = query_engine(_left)
        for identifier in left:
            _remove(identifier)
    return len(left)


@cache
def remove_stale_containers_once() -> None:
    """The same when this process first needs the engine; a fault in that is no fault of its own."""
    with suppress(EngineError, APIError):
        for identifier in query_engine(_left):
            _remove(identifier)


def _left(client: Any) -> list[str]:
    # Only their names: another run may remove one of its own at any time.
    found = client.api.containers(all=True, filters={"label": CONTAINER_LABEL})
    return [str(about["Id"]) for about in found if has_ended(str(about["Labels"][CONTAINER_LABEL]))]


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
    """Return the fault of the engine when it is asked for an image, and its remedy.

    The fault is empty if the engine answers, and the remedy too if it has the image.
    """
    try:
        query_engine(lambda client: _image_label(client.images.get(name)))
    except ImageNotFound:
        return "", "build the image"
    except APIError as error:
        return f"the engine refuses ({short_text(error)})", "see its log"
    return "", ""


def image_label(name: str) -> tuple[str, str]:
    """Return the identity of an image, and the version on its label."""
    remove_stale_containers_once()
    with translate_engine_errors():
        return query_engine(lambda client: _image_label(client.images.get(name)))


def _image_label(image: Any) -> tuple[str, str]:
    return str(image.id), str(image.labels.get(VERSION_LABEL, UNKNOWN))

"""The Docker engine: whether it is available, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import requests
import urllib3

# Never plain `import docker`: in a checkout without the SDK that succeeds, with the folder docker/.
from docker.client import DockerClient
from docker.errors import APIError, DockerException

from boardsat.adapters.errors import AdapterError

GONE = (requests.exceptions.RequestException, urllib3.exceptions.HTTPError, ConnectionError)

START = (
    f"start Docker, or run {(Path(__file__).parent.parent.parent / 'docker').resolve() / 'engine'}"
)
ALLOW = "join the group that owns its socket (`usermod -aG docker USER`), or set DOCKER_HOST"


def client() -> Any:
    """The engine that DOCKER_HOST names, or the local one; None where there is none."""
    return _found()[0]


def lack() -> tuple[str, str]:
    """Why there is none, and what to do about it."""
    return _found()[1]


@cache
def _found() -> tuple[Any, tuple[str, str]]:
    try:
        found = DockerClient.from_env(timeout=60)
        found.ping()
        return found, ("", "")
    except (DockerException, *GONE) as error:
        return None, why(error)


def why(error: BaseException) -> tuple[str, str]:
    """What keeps us from an engine, and the remedy: one that may not be used is not missing."""
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) and cause not in causes:
        causes.append(cause)
    if any(isinstance(each, PermissionError) for each in causes):
        return "no permission to use the engine", ALLOW
    if isinstance(error, APIError):
        return f"the engine refuses ({short(error)})", "see its log"
    return "no engine", START


@contextmanager
def talking() -> Iterator[None]:
    """Whatever goes wrong with the engine is one line."""
    try:
        yield
    except APIError as error:
        raise AdapterError(f"the engine refuses: {short(error)}", "see its log") from None
    except (DockerException, *GONE) as error:
        raise AdapterError(
            f"the engine does not answer any more: {short(error)}",
            "start it again, then `boardsat clean`",
        ) from None


def short(error: Exception) -> str:
    text = str(getattr(error, "explanation", None) or error)
    return " ".join(text.split())[:200]

"""Socket of a local container engine: queries without the Docker SDK, whose import takes long.

A local engine is missing if its socket is missing, and one request shows whether it has an image.
Unexpected answers are left to the SDK.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from boardsat.base.errors import SolverError

QUERY_SECONDS = 10.0
"""Time limit in seconds of a query, which usually takes some milliseconds."""

NO_ENGINE = "no Docker"
START_REMEDY = (
    f"start Docker, or run {(Path(__file__).parent.parent.parent / 'docker').resolve() / 'engine'}"
)
RESTART_REMEDY = "start it again, or set DOCKER_HOST"

_DEFAULT_HOST = "unix:///var/run/docker.sock"
_MAX_ANSWER_BYTES = 2**20

_silent_sockets: set[str] = set()
"""Sockets of engines that did not answer in time and are not queried again."""


class EngineError(SolverError):
    """Failure of the container engine: missing, not answering, or answering nonsense."""


def socket_path() -> str | None:
    """Return the path of the socket of a local engine. None if DOCKER_HOST names another one."""
    scheme, _, path = (os.environ.get("DOCKER_HOST") or _DEFAULT_HOST).partition("://")
    return path if scheme == "unix" and path.startswith("/") else None


def is_engine_missing() -> bool:
    """Return True if the engine is a local one whose socket does not exist."""
    path = socket_path()
    if path is None:
        return False
    try:
        Path(path).stat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def has_image(name: str) -> bool | None:
    """Return True if a local engine has an image. None if only the SDK can find out.

    Raise EngineError if the engine does not answer in time.
    """
    path = socket_path()
    if path is None:
        return None
    if path not in _silent_sockets:
        try:
            head, _, body = _answer(path, f"/images/{name}/json").partition(b"\r\n\r\n")
        except TimeoutError:
            _silent_sockets.add(path)
        except OSError:
            return None
        else:
            return _image_status(head.split()[1:2], body)
    fault = f"the engine does not answer within {QUERY_SECONDS:.0f} s"
    raise EngineError(fault, RESTART_REMEDY)


def _image_status(code: list[bytes], body: bytes) -> bool | None:
    """Return True if an answer describes an image, False if there is no image; None otherwise."""
    if code == [b"404"] and b"o such image" in body:
        return False
    if code != [b"200"]:
        return None
    import json

    try:
        image = json.loads(body)
    except (ValueError, RecursionError):
        return None
    is_image = isinstance(image, dict) and str(image.get("Id")).startswith("sha256:")
    return True if is_image and isinstance(image.get("Config"), dict) else None


def _answer(path: str, resource: str) -> bytes:
    """Return the answer of an engine to a GET request, with its header."""
    import socket

    deadline = time.monotonic() + QUERY_SECONDS
    answer = b""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(QUERY_SECONDS)
        connection.connect(path)
        # In HTTP/1.0 the answer ends with the connection.
        connection.sendall(f"GET {resource} HTTP/1.0\r\nHost: docker\r\n\r\n".encode())
        while (seconds := deadline - time.monotonic()) > 0 and len(answer) < _MAX_ANSWER_BYTES:
            connection.settimeout(seconds)
            piece = connection.recv(2**16)
            if not piece:
                return answer
            answer += piece
    raise TimeoutError

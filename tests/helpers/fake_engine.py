"""Fake container engine with configurable replies, for tests of misbehaving engines.

It listens at a socket in a folder. By default each container ends at once, and prints that the
formula of a test is satisfiable.
"""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

Behaviour = Callable[[socket.socket], None]

OUTPUT = b"s SATISFIABLE\nv 1 2 3 0\n"


def answer_with(
    body: object, status: str = "200 OK", kind: str = "application/json", length: int | None = None
) -> Behaviour:
    """Return a behaviour that sends one HTTP reply."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()

    def answer(connection: socket.socket) -> None:
        size = len(content) if length is None else length
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\n"
        connection.sendall(f"{head}Connection: close\r\n\r\n".encode() + content)

    return answer


def send_bytes(data: bytes) -> Behaviour:
    """Return a behaviour that sends bytes and closes the connection."""
    return lambda connection: connection.sendall(data)


def stay_silent(connection: socket.socket) -> None:
    """Send nothing until the client closes the connection."""
    with suppress(OSError):
        while connection.recv(2**16):
            pass


def send_slowly(data: bytes, pause: float = 0.05) -> Behaviour:
    """Return a behaviour that sends one byte at a time until the client closes the connection."""

    def drip(connection: socket.socket) -> None:
        with suppress(OSError):
            for byte in data:
                connection.sendall(bytes([byte]))
                time.sleep(pause)
            stay_silent(connection)

    return drip


def print_output(connection: socket.socket) -> None:
    """Send the output of a container in the frames of the Docker API."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/vnd.docker.raw-stream\r\n\r\n"
    usage = b"\n# usage\n0m0.0s 0m0.0s\n0m0.0s 0m0.0s\n"
    frames = [struct.pack(">BxxxL", 1, len(OUTPUT)), OUTPUT, struct.pack(">BxxxL", 2, len(usage))]
    connection.sendall(head)
    # The SDK reads the frames from the socket itself, past what was buffered with the head.
    time.sleep(0.1)
    connection.sendall(b"".join(frames) + usage)


IMAGE = {"Id": "sha256:" + 64 * "0", "Size": 1, "Config": {"Labels": {}}, "RepoTags": []}
CONTAINER = {
    "Id": 64 * "a",
    "State": {"OOMKilled": False},
    "Config": {"Tty": False},
    "Image": IMAGE["Id"],
}
NO_CONTENT = answer_with(b"", "204 No Content")

USUAL_BEHAVIOURS: dict[str, Behaviour] = {
    r"": answer_with({"message": "no such resource"}, "404 Not Found"),
    r"GET /_ping": answer_with(b"OK", kind="text/plain"),
    r"GET .*/_ping": answer_with(b"OK", kind="text/plain"),
    r"GET /version": answer_with({"ApiVersion": "1.41", "Version": "20.10"}),
    r"GET .*/images/.*/json": answer_with(IMAGE),
    r"GET .*/containers/json": answer_with([]),
    r"POST .*/containers/create": answer_with(
        {"Id": CONTAINER["Id"], "Warnings": []}, "201 Created"
    ),
    r"GET .*/containers/\w+/json": answer_with(CONTAINER),
    r"PUT .*/archive": answer_with(b""),
    r"POST .*/attach": print_output,
    r"POST .*/start": NO_CONTENT,
    r"GET .*/stats": answer_with({"memory_stats": {"usage": 5}, "cpu_stats": {}}),
    r"POST .*/wait": answer_with({"StatusCode": 10, "Error": None}),
    r"POST .*/kill": NO_CONTENT,
    r"DELETE .*": NO_CONTENT,
}


class FakeEngine:
    """Fake engine that runs in threads, and records the first lines of requests."""

    def __init__(self, path: Path, changes: dict[str, Behaviour]) -> None:
        self.behaviours = {**USUAL_BEHAVIOURS, **changes}
        self.requests: list[str] = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(50)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection = self.listener.accept()[0]
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError), connection:
            connection.settimeout(60)
            request = self._request(connection)
            self.requests.append(request)
            # The last match: changed behaviours come after the usual ones.
            matches = [
                behaviour
                for pattern, behaviour in self.behaviours.items()
                if re.match(pattern, request)
            ]
            matches[-1](connection)

    def _request(self, connection: socket.socket) -> str:
        """Read a request to its end, and return its first line."""
        text = b""
        while b"\r\n\r\n" not in text:
            piece = connection.recv(2**16)
            if not piece:
                break
            text += piece
        head, _, body = text.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        while length and len(body) < int(length[1]):
            body += connection.recv(2**16)
        while re.search(rb"(?i)transfer-encoding: *chunked", head) and not body.endswith(
            b"0\r\n\r\n"
        ):
            body += connection.recv(2**16)
        return head.split(b"\r\n")[0].decode("latin-1")


@contextmanager
def fake_engine(folder: Path, changes: dict[str, Behaviour]) -> Iterator[FakeEngine]:
    """Run a fake engine with changed behaviours at `unix://{folder}/engine`."""
    engine = FakeEngine(folder / "engine", changes)
    try:
        yield engine
    finally:
        with suppress(OSError):
            engine.listener.shutdown(socket.SHUT_RDWR)
        engine.listener.close()

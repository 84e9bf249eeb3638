"""An engine that is none: it answers as it is told, to see what becomes of a bad one.

It listens at a socket in a folder. Left alone it runs every container at once: each prints that the
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
    """One whole answer."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def answer(near: socket.socket) -> None:
        size = len(data) if length is None else length
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\n"
        near.sendall(f"{head}Connection: close\r\n\r\n".encode() + data)

    return answer


def send_bytes(data: bytes) -> Behaviour:
    """Bytes that need be no answer; then it hangs up."""
    return lambda near: near.sendall(data)


def stay_silent(near: socket.socket) -> None:
    """It never answers; the other side may hang up."""
    with suppress(OSError):
        while near.recv(2**16):
            pass


def send_slowly(data: bytes, pause: float = 0.05) -> Behaviour:
    """A byte at a time, as long as anybody listens."""

    def drip(near: socket.socket) -> None:
        with suppress(OSError):
            for byte in data:
                near.sendall(bytes([byte]))
                time.sleep(pause)
            stay_silent(near)

    return drip


def print_output(near: socket.socket) -> None:
    """What the container prints, in frames of the engine."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/vnd.docker.raw-stream\r\n\r\n"
    usage = b"\n# usage\n0m0.0s 0m0.0s\n0m0.0s 0m0.0s\n"
    frames = [struct.pack(">BxxxL", 1, len(OUTPUT)), OUTPUT, struct.pack(">BxxxL", 2, len(usage))]
    near.sendall(head)
    # The SDK reads the frames from the socket itself, past what was buffered with the head.
    time.sleep(0.1)
    near.sendall(b"".join(frames) + usage)


IMAGE = {"Id": "sha256:" + 64 * "0", "Size": 1, "Config": {"Labels": {}}, "RepoTags": []}
CONTAINER = {
    "Id": 64 * "a",
    "State": {"OOMKilled": False},
    "Config": {"Tty": False},
    "Image": IMAGE["Id"],
}
NO_CONTENT = answer_with(b"", "204 No Content")

USUAL_BEHAVIOURS: dict[str, Behaviour] = {
    r"": answer_with({"message": "nothing is known of that"}, "404 Not Found"),
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
    def __init__(self, path: Path, changes: dict[str, Behaviour]) -> None:
        self.behaviours = {**USUAL_BEHAVIOURS, **changes}
        self.requests: list[str] = []
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(str(path))
        self.listening.listen(50)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near = self.listening.accept()[0]
                threading.Thread(target=self._serve, args=(near,), daemon=True).start()

    def _serve(self, near: socket.socket) -> None:
        with suppress(OSError), near:
            near.settimeout(60)
            request = self._request(near)
            self.requests.append(request)
            # The last that fits: what was changed comes after what is good.
            fits = [how for pattern, how in self.behaviours.items() if re.match(pattern, request)]
            fits[-1](near)

    def _request(self, near: socket.socket) -> str:
        """Its first line; whatever belongs to it is read to its end."""
        text = b""
        while b"\r\n\r\n" not in text:
            piece = near.recv(2**16)
            if not piece:
                break
            text += piece
        head, _, body = text.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        while length and len(body) < int(length[1]):
            body += near.recv(2**16)
        while re.search(rb"(?i)transfer-encoding: *chunked", head) and not body.endswith(
            b"0\r\n\r\n"
        ):
            body += near.recv(2**16)
        return head.split(b"\r\n")[0].decode("latin-1")


@contextmanager
def fake_engine(folder: Path, changes: dict[str, Behaviour]) -> Iterator[FakeEngine]:
    """An engine with some of its answers changed; its address is `unix://{folder}/engine`."""
    found = FakeEngine(folder / "engine", changes)
    try:
        yield found
    finally:
        with suppress(OSError):
            found.listening.shutdown(socket.SHUT_RDWR)
        found.listening.close()

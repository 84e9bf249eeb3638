"""Files to and from a container: as archives over the engine's interface, wherever it is."""

from __future__ import annotations

import gc
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from boardsat.adapters.runtimes import engine
from boardsat.adapters.runtimes.engine import asked
from boardsat.base import scratch

USER = 10001
"""The user inside: nobody's, and the owner of nothing but the file for a proof."""

_BLOCK = 2**20


def send(container: Any, folder: str, files: dict[str, str], proof: str = "") -> None:
    """Put files, by their names inside, into a folder of a container.

    `proof` is the name of an empty file that the solver may write; empty if it writes none.
    """
    size = sum(Path(file).stat().st_size for file in files.values())
    seconds = engine.DEED + size / engine.BYTES
    asked(lambda _: container.put_archive(folder, _archive(files, proof)), seconds)


def fetch(container: Any, inside: str, target: str) -> None:
    """A file of the container, whole, to a path of ours; BoardsatError where that has no room.

    An empty file was never written, and there will be none here either.
    """
    stream, size = asked(lambda _: _sized(container.get_archive(inside)))
    try:
        if not size:
            stream.close()
            return
        seconds = engine.DEED + size / engine.BYTES
        asked(lambda _: scratch.write(target, _content(stream)), seconds)
    except BaseException:
        # The engine removes no container that somebody may still read from, and the connection is
        # closed only when nothing knows it any more.
        with suppress(ValueError):
            stream.close()
        gc.collect()
        raise


def _sized(given: tuple[Any, Any]) -> tuple[Any, int]:
    stream, about = given
    return stream, int(about["size"])


def _content(stream: Iterator[bytes]) -> Iterator[bytes]:
    with tarfile.open(fileobj=_Reader(stream), mode="r|") as archive:  # type: ignore[call-overload]
        for member in archive:
            content = archive.extractfile(member)
            if content is not None:
                while piece := content.read(_BLOCK):
                    yield piece


def _archive(files: dict[str, str], proof: str) -> Iterator[bytes]:
    """Yield a tar stream: the files, which only root may change, and an empty one for the proof.

    The solver can write that file, the small /tmp, and nothing else: in a folder of its own it
    could make any number of files, and the limit is one on the size of each.
    """
    if proof:
        empty = tarfile.TarInfo(proof)
        empty.mode = 0o600
        empty.uid = empty.gid = USER
        yield empty.tobuf()
    for inside, outside in files.items():
        info = tarfile.TarInfo(inside)
        info.size, info.mode = Path(outside).stat().st_size, 0o444
        yield info.tobuf()
        with Path(outside).open("rb") as file:
            left = info.size
            while left and (piece := file.read(min(left, _BLOCK))):
                left -= len(piece)
                yield piece
        yield b"\0" * (-info.size % tarfile.BLOCKSIZE)
    yield b"\0" * tarfile.RECORDSIZE


class _Reader:
    """A file object over the pieces of a stream."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces, self.rest = iter(pieces), b""

    def read(self, size: int) -> bytes:
        while len(self.rest) < size and (piece := next(self.pieces, b"")):
            self.rest += piece
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

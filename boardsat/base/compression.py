"""Pieces of a file through a compressor, by the ending of its name; the same bytes every time.

The usual levels are those beyond which clauses take many times as long for little: on 57 MB gzip
needs 4 s at level 6 and 55 s at level 9, whose result is even larger; xz needs 4 s at preset 1, and
61 s at preset 6 for two thirds of the size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Any, NamedTuple

Buffer = bytes | memoryview

PLAIN = ""
QUICK, SMALLEST = "quick", "smallest"
EFFORTS = (QUICK, SMALLEST)


class _Levels(NamedTuple):
    quick: int
    smallest: int


_LEVELS = {".gz": _Levels(6, 6), ".xz": _Levels(1, 6), ".zst": _Levels(3, 19)}
ENDINGS = tuple(_LEVELS)


def compression(target: str) -> str:
    """The ending that tells how to compress, or an empty text."""
    return next((ending for ending in ENDINGS if target.endswith(ending)), PLAIN)


def compressed(pieces: Iterable[Buffer], ending: str, effort: str = QUICK) -> Iterable[Buffer]:
    """The pieces through a compressor, with no time stamp in the result."""
    if not ending:
        return pieces
    levels = _LEVELS[ending]
    return _through(pieces, ending, levels.smallest if effort == SMALLEST else levels.quick)


def _through(pieces: Iterable[Buffer], ending: str, level: int) -> Iterator[bytes]:
    collected = _Collector()
    with _compressor(collected, ending, level) as stream:
        for piece in pieces:
            stream.write(piece)
            yield collected.take()
    yield collected.take()


class _Collector:
    """Takes what a compressor writes, and gives it on."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def write(self, piece: Buffer) -> int:
        self.pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Nothing is held back."""

    def take(self) -> bytes:
        taken, self.pieces = b"".join(self.pieces), []
        return taken


def _compressor(sink: _Collector, ending: str, level: int) -> IO[bytes]:
    stream: Any
    if ending == ".gz":
        import gzip

        stream = gzip.GzipFile(filename="", mode="wb", compresslevel=level, fileobj=sink, mtime=0)
    elif ending == ".xz":
        import lzma

        stream = lzma.LZMAFile(sink, "wb", preset=level)  # type: ignore[arg-type]  # noqa: SIM115
    else:
        import zstandard

        stream = zstandard.ZstdCompressor(level=level).stream_writer(sink, closefd=False)  # type: ignore[arg-type]
    opened: IO[bytes] = stream
    return opened

"""A DIMACS file, compressed or not, as blocks of text that end at line ends."""

from __future__ import annotations

import gzip
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

# Bytes of text; from 2**17 to 2**20 the speed is nearly the same.
CHUNK = 1 << 19
# Lines up to this long always come whole; longer ones may come in several blocks.
SHORT = 4096
# Of compressed zst bytes, so that even a bomb yields no more than tens of megabytes at once.
_ZST_PIECE = 1024


class DimacsError(ValueError):
    """One line: FILE:LINE: fault; remedy."""


class Sink(Protocol):
    """What is shown all bytes that are read, such as a hash."""

    def update(self, data: bytes, /) -> object: ...


def shown_name(path: str | os.PathLike[str]) -> str:
    """The file's name as one printable line."""
    if os.fspath(path) == "-":
        return "<stdin>"
    name = os.fsencode(path).decode("utf-8", "replace")
    return "".join(mark if mark.isprintable() else "?" for mark in name)


@contextmanager
def opened(
    path: str | os.PathLike[str], chunk: int = CHUNK, raw: Sink | None = None
) -> Iterator[Iterator[bytes]]:
    """The file's blocks: by its ending .gz, .xz or .zst decompressed; '-' is standard input.

    `raw` is shown the bytes on disk, all of them once the file is closed.
    """
    name = shown_name(path)
    if os.fspath(path) == "-":
        yield _blocks(_guarded(_pieces(sys.stdin.buffer, chunk), name), chunk)
        return
    ending = Path(path).suffix
    with ExitStack() as closing:
        try:
            file = _unpacked(path, ending, raw, closing)
        except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
            raise DimacsError(f"{name}: {_reason(error)}; name a readable DIMACS file") from error
        pieces = _zst_pieces(file) if ending == ".zst" else _pieces(file, chunk)
        yield _blocks(_guarded(pieces, name), chunk)


_OPEN: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open}


def _unpacked(
    path: str | os.PathLike[str], ending: str, raw: Sink | None, closing: ExitStack
) -> IO[bytes]:
    unpack = _OPEN.get(ending, open)
    if raw is None:
        file: IO[bytes] = closing.enter_context(unpack(path, "rb"))
        return file
    bare = closing.enter_context(Path(path).open("rb"))  # noqa: SIM115
    watched: Any = _Watched(bare, raw)
    closing.callback(watched.finish)
    return closing.enter_context(unpack(watched, "rb")) if ending in _OPEN else watched


class _Watched:
    """A file that shows a sink whatever is read of it."""

    def __init__(self, file: IO[bytes], sink: Sink) -> None:
        self.file, self.sink = file, sink

    def read(self, size: int = -1) -> bytes:
        data = self.file.read(size)
        self.sink.update(data)
        return data

    def finish(self) -> None:
        """What no decompressor asked for belongs to the file as well."""
        while self.read(CHUNK):
            pass


def _pieces(file: IO[bytes], chunk: int) -> Iterator[bytes]:
    while piece := file.read(chunk):
        yield piece


def _zst_pieces(file: IO[bytes]) -> Iterator[bytes]:
    # Not its stream reader, which takes a file cut short for one that ends.
    import zstandard

    frame = None
    try:
        while raw := file.read(_ZST_PIECE):
            while raw:
                frame = frame or zstandard.ZstdDecompressor().decompressobj()
                yield frame.decompress(raw)
                raw = frame.unused_data
                if frame.eof:
                    frame = None
    except zstandard.ZstdError as error:
        raise OSError(str(error)) from error
    if frame:
        raise EOFError("compressed file ended before the end of its last frame")


def _guarded(pieces: Iterator[bytes], name: str) -> Iterator[bytes]:
    try:
        yield from pieces
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        fault = f"cannot be read to its end ({_reason(error)})"
        raise DimacsError(f"{name}: {fault}; fetch or write the file again") from error
    except ImportError as error:
        raise DimacsError(f"{name}: zst needs zstandard; pip install zstandard") from error


def _reason(error: Exception) -> str:
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    said = " ".join(said.split())
    return said[:1].lower() + said[1:]


def _blocks(pieces: Iterator[bytes], chunk: int) -> Iterator[bytes]:
    """Blocks of about chunk bytes; each ends a line, or inside a long line a word.

    What has no line end in chunk bytes must go on as it is: holding it back would read a gigabyte
    of zeros before saying that it is no text.
    """
    held: list[bytes] = []
    length = 0
    for piece in pieces:
        held.append(piece)
        length += len(piece)
        if length < chunk:
            continue
        text = b"".join(held)
        cut = text.rfind(b"\n") + 1
        if not cut and length > SHORT:
            cut = max(text.rfind(b" "), text.rfind(b"\t"), text.rfind(b"\r")) + 1 or length
        if cut:
            yield text[:cut]
        held = [text[cut:]]
        length -= cut
    if length:
        yield b"".join(held)

"""A DIMACS file, compressed or not, as blocks of text that end at line ends."""

from __future__ import annotations

import gzip
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

# Bytes of text; from 2**17 to 2**20 the speed is nearly the same.
CHUNK = 1 << 19
# Lines up to this long always come whole; longer ones may come in several blocks.
SHORT = 4096
# Of compressed zst bytes, so that even a bomb yields no more than tens of megabytes at once.
_ZST_PIECE = 1024


class DimacsError(ValueError):
    """One line: FILE:LINE: fault; remedy."""


def shown_name(path: str | os.PathLike[str]) -> str:
    """The file's name as one printable line."""
    if os.fspath(path) == "-":
        return "<stdin>"
    name = os.fsencode(path).decode("utf-8", "replace")
    return "".join(mark if mark.isprintable() else "?" for mark in name)


@contextmanager
def opened(path: str | os.PathLike[str], chunk: int = CHUNK) -> Iterator[Iterator[bytes]]:
    """The file's blocks: by its ending .gz, .xz or .zst decompressed; '-' is standard input."""
    name = shown_name(path)
    if os.fspath(path) == "-":
        yield _blocks(_guarded(_pieces(sys.stdin.buffer, chunk), name), chunk)
        return
    ending = Path(path).suffix
    try:
        file: IO[bytes] = _OPEN.get(ending, open)(path, "rb")
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise DimacsError(f"{name}: {_reason(error)}; name a readable DIMACS file") from error
    with file:
        pieces = _zst_pieces(file) if ending == ".zst" else _pieces(file, chunk)
        yield _blocks(_guarded(pieces, name), chunk)


_OPEN: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open}


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

"""A DIMACS file, compressed or not, as blocks of text that end at line ends."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Protocol, cast

from boardsat.base.compression import decompress
from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint

# Bytes of text; from 2**17 to 2**20 the speed is nearly the same.
CHUNK = 1 << 19
# Lines up to this long always come whole; longer ones may come in several blocks.
SHORT = 4096


RUN = 2000
"""Lines or terms that one match of a pattern takes: `re` holds 100 bytes for each until it ends."""


def covers(pattern: re.Pattern[bytes], text: bytes) -> bool:
    """Return whether matches of a pattern, one after the other, make up a text.

    A pattern that is a bounded repetition takes bounded memory so, and never backtracks over what
    it has matched, without the possessive quantifiers that `re` got wrong before Python 3.11.5.
    """
    start = 0
    while start < len(text):
        match = pattern.match(text, start)
        if match is None:
            return False
        start = match.end()
    return True


class DimacsError(InputError):
    """Malformed or unreadable file in DIMACS or a related format."""


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
    path: str | os.PathLike[str],
    chunk: int = CHUNK,
    raw: Sink | None = None,
    called: str | None = None,
) -> Iterator[Iterator[bytes]]:
    """The file's blocks: by its ending .gz, .xz or .zst decompressed; '-' is standard input.

    `raw` is shown the bytes on disk, all of them once the file is closed.
    """
    name = shown_name(called or path)
    with ExitStack() as closing:
        try:
            file = _bytes(path, closing)
        except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
            raise DimacsError(_reason(error), "name a readable DIMACS file", name) from error
        if raw is not None:
            watched = _Watched(file, raw)
            closing.callback(watched.finish)
            file = cast(IO[bytes], watched)
        pieces = decompress(file, Path(path).suffix, chunk)
        yield _blocks(_guarded(pieces, name), chunk)


def _bytes(path: str | os.PathLike[str], closing: ExitStack) -> IO[bytes]:
    """The bytes as they are on disk, or come."""
    if os.fspath(path) == "-":
        return sys.stdin.buffer
    return closing.enter_context(Path(path).open("rb"))


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


def _guarded(pieces: Iterator[bytes], name: str) -> Iterator[bytes]:
    try:
        yield from pieces
    except (OSError, EOFError) as error:
        fault = f"cannot be read to its end ({_reason(error)})"
        raise DimacsError(fault, "fetch or write the file again", name) from error
    except InputError as error:
        raise DimacsError(error.fault, error.remedy, name) from error


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
        checkpoint()
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

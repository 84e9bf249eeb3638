"""Blocks of text of a DIMACS file, decompressed and cut at line ends."""

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

BLOCK_BYTES = 1 << 19
"""Default size of a block. From 2**17 to 2**20 the speed is nearly the same."""

MAX_WHOLE_LINE_BYTES = 4096
"""Longest line that is never divided between blocks."""

MAX_REPEATS = 2000
"""Lines or terms in one match of a pattern. `re` holds 100 bytes for each until the match ends."""


def covers(pattern: re.Pattern[bytes], text: bytes) -> bool:
    """Return whether consecutive matches of a pattern make up the text.

    With a pattern that is a bounded repetition, memory is bounded and completed matches are never
    backtracked into. Possessive quantifiers would do the same, but `re` got them wrong before
    Python 3.11.5.
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


def quoted(text: bytes, max_length: int = 20) -> str:
    """Return the text in quotes, printable and cut short."""
    return repr(text[:max_length]).removeprefix("b") + ("..." if len(text) > max_length else "")


class Sink(Protocol):
    """Observer of all bytes that are read, such as a hash."""

    def update(self, data: bytes, /) -> object: ...


def shown_name(path: str | os.PathLike[str]) -> str:
    """Return the name of a file as one printable line; `-` is standard input."""
    if os.fspath(path) == "-":
        return "<stdin>"
    name = os.fsencode(path).decode("utf-8", "replace")
    return "".join(char if char.isprintable() else "?" for char in name)


@contextmanager
def open_blocks(
    path: str | os.PathLike[str],
    block_bytes: int = BLOCK_BYTES,
    raw: Sink | None = None,
    name: str | None = None,
) -> Iterator[Iterator[bytes]]:
    """Open a text file as an iterator of blocks that end at line ends.

    Parameters
    ----------
    path : str or path-like
        File, decompressed if its suffix is .gz, .xz or .zst; `-` is standard input.
    block_bytes : int
        Approximate size of a block.
    raw : Sink, optional
        Observer of the compressed bytes. It has seen the whole file when the context ends.
    name : str, optional
        Name of the file in errors. Default: its path.

    Raises
    ------
    DimacsError
        The file cannot be opened, read or decompressed.
    """
    name = shown_name(name or path)
    with ExitStack() as stack:
        try:
            is_stdin = os.fspath(path) == "-"
            file = sys.stdin.buffer if is_stdin else stack.enter_context(Path(path).open("rb"))
        except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
            raise DimacsError(_reason(error), location=name) from error
        if raw is not None:
            observed = _ObservedFile(file, raw)
            stack.callback(observed.finish)
            file = cast(IO[bytes], observed)
        pieces = decompress(file, Path(path).suffix, block_bytes)
        yield _blocks(_translate_errors(pieces, name), block_bytes)


class _ObservedFile:
    """File whose bytes are passed to a sink as they are read."""

    def __init__(self, file: IO[bytes], sink: Sink) -> None:
        self.file, self.sink = file, sink

    def read(self, size: int = -1) -> bytes:
        block = self.file.read(size)
        self.sink.update(block)
        return block

    def finish(self) -> None:
        """Read the bytes that the decompressor did not request."""
        while self.read(BLOCK_BYTES):
            pass


def _translate_errors(pieces: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Yield the pieces; raise DimacsError if reading or decompressing fails."""
    try:
        yield from pieces
    except (OSError, EOFError) as error:
        fault = f"cannot be read to its end ({_reason(error)})"
        raise DimacsError(fault, "fetch or write the file again", name) from error
    except InputError as error:
        raise DimacsError(error.fault, error.remedy, name) from error


def _reason(error: Exception) -> str:
    message = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    message = " ".join(message.split())
    return message[:1].lower() + message[1:]


def _blocks(pieces: Iterator[bytes], block_bytes: int) -> Iterator[bytes]:
    """Yield blocks of about `block_bytes`; each ends with a line or, in a long line, with a token.

    A block without any separator is passed on as it is: waiting for one would read a gigabyte of
    zeros before it is rejected as binary.
    """
    buffer: list[bytes] = []
    length = 0
    for piece in pieces:
        checkpoint()
        buffer.append(piece)
        length += len(piece)
        if length < block_bytes:
            continue
        text = b"".join(buffer)
        cut = text.rfind(b"\n") + 1
        if not cut and length > MAX_WHOLE_LINE_BYTES:
            cut = max(text.rfind(b" "), text.rfind(b"\t"), text.rfind(b"\r")) + 1 or length
        if cut:
            yield text[:cut]
        buffer = [text[cut:]]
        length -= cut
    if length:
        yield b"".join(buffer)

"""A DIMACS file, compressed or not, as blocks of text that end at line ends."""

from __future__ import annotations

import lzma
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Protocol, cast

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint

# Bytes of text; from 2**17 to 2**20 the speed is nearly the same.
CHUNK = 1 << 19
# Lines up to this long always come whole; longer ones may come in several blocks.
SHORT = 4096
# Of compressed bytes, so that even a bomb yields no more than tens of megabytes at once.
_PACKED_PIECE = 1024
# What a decompressor may take for what it has unpacked; `xz -9` needs 65 MB, `zstd --long` 128 MB.
_WINDOW = 256 << 20
# For zlib: with the header of a .gz file.
_GZIP = 16


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
        pieces = _UNPACKED.get(Path(path).suffix, _pieces)(file, chunk)
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


def _pieces(file: IO[bytes], chunk: int) -> Iterator[bytes]:
    while piece := file.read(chunk):
        yield piece


def _gz_pieces(file: IO[bytes], chunk: int) -> Iterator[bytes]:
    # Not gzip.open, which takes what zlib, and so every solver, refuses.
    member, began, padded = None, False, False
    while raw := file.read(chunk):
        while raw:
            if member is None:
                padded = padded or (began and raw.startswith(b"\0"))
                if padded:
                    # They end the file: what programs make of more after them differs.
                    if raw.strip(b"\0"):
                        raise OSError("something follows zeros at its end")
                    break
                member, began = zlib.decompressobj(zlib.MAX_WBITS | _GZIP), True
            yield member.decompress(raw, chunk)
            # At its end, what follows it can be there as well.
            while member.unconsumed_tail and not member.eof:
                yield member.decompress(member.unconsumed_tail, chunk)
            raw = member.unused_data
            if member.eof:
                member = None
    if member:
        raise EOFError("compressed file ended before the end of its last member")


def _xz_pieces(file: IO[bytes], chunk: int) -> Iterator[bytes]:
    # Not lzma.open, which takes whatever memory the file asks for.
    stream = None
    while raw := file.read(_PACKED_PIECE):
        while raw:
            if stream is None:
                # Between two streams, zeros may stand.
                if not (raw := raw.lstrip(b"\0")):
                    break
                stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_WINDOW)
            yield stream.decompress(raw, chunk)
            while not (stream.needs_input or stream.eof):
                yield stream.decompress(b"", chunk)
            raw = stream.unused_data
            if stream.eof:
                stream = None
    if stream:
        raise EOFError("compressed file ended before the end of its last stream")


def _zst_pieces(file: IO[bytes], chunk: int) -> Iterator[bytes]:
    # Not its stream reader, which takes a file cut short for one that ends.
    import zstandard

    frame = None
    try:
        while raw := file.read(_PACKED_PIECE):
            while raw:
                if frame is None:
                    reader = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
                    frame = reader.decompressobj()
                yield frame.decompress(raw)
                raw = frame.unused_data
                if frame.eof:
                    frame = None
    except zstandard.ZstdError as error:
        raise OSError(str(error)) from error
    if frame:
        raise EOFError("compressed file ended before the end of its last frame")


_UNPACKED: dict[str, Callable[[IO[bytes], int], Iterator[bytes]]] = {
    ".gz": _gz_pieces,
    ".xz": _xz_pieces,
    ".zst": _zst_pieces,
}


def _guarded(pieces: Iterator[bytes], name: str) -> Iterator[bytes]:
    try:
        yield from pieces
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        fault = f"cannot be read to its end ({_reason(error)})"
        raise DimacsError(fault, "fetch or write the file again", name) from error
    except ImportError as error:
        raise DimacsError("zst needs zstandard", "pip install zstandard", name) from error


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

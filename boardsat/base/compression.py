"""Compressed files: gzip, xz and Zstandard, selected by the suffix of the file's name.

Compression is deterministic: it writes neither a time stamp nor a file name. Decompression takes
bounded memory, and raises an error for a truncated file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, NamedTuple

from boardsat.base.errors import InputError

Buffer = bytes | memoryview

QUICK, SMALLEST = "quick", "smallest"
EFFORTS = (QUICK, SMALLEST)


class _Levels(NamedTuple):
    quick: int
    smallest: int


# Beyond the quick levels, compressing takes many times as long for little gain: on 57 MB of clauses
# gzip needs 4 s at level 6 and 55 s at level 9, whose result is even larger; xz needs 4 s at preset
# 1, and 61 s at preset 6 for two thirds of the size.
_LEVELS = {".gz": _Levels(6, 6), ".xz": _Levels(1, 6), ".zst": _Levels(3, 19)}

SUFFIXES = tuple(_LEVELS)
"""Suffixes of the names of compressed files."""

_PIECE_BYTES = 1024
"""Number of compressed bytes that are read at a time; they expand to at most tens of megabytes."""

_MAX_WINDOW_BYTES = 256 << 20
"""Maximum memory of a decompressor; `xz -9` needs 65 MB, `zstd --long` 128 MB."""

_ZLIB_GZIP = 16
"""Flag of zlib for the gzip format."""


def compression_suffix(name: str) -> str:
    """Return the suffix of a compressed file's name; empty if the file is not compressed."""
    return next((suffix for suffix in SUFFIXES if name.endswith(suffix)), "")


def split_compression(name: str) -> tuple[str, str]:
    """Return a file's name without the suffix of its compression, and that suffix."""
    suffix = compression_suffix(name)
    return name.removesuffix(suffix), suffix


def compress(pieces: Iterable[Buffer], suffix: str, effort: str = QUICK) -> Iterable[Buffer]:
    """Compress the pieces in the format of the suffix; return them unchanged if it is empty."""
    if not suffix:
        return pieces
    levels = _LEVELS[suffix]
    return _compress(pieces, suffix, levels.smallest if effort == SMALLEST else levels.quick)


def _compress(pieces: Iterable[Buffer], suffix: str, level: int) -> Iterator[bytes]:
    output = _Output()
    with _compressor(output, suffix, level) as stream:
        for piece in pieces:
            stream.write(piece)
            yield output.take()
    yield output.take()


class _Output:
    """File object that collects the bytes that a compressor writes."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: Buffer) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Do nothing: no bytes are held back."""

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def _compressor(output: _Output, suffix: str, level: int) -> IO[bytes]:
    stream: Any
    if suffix == ".gz":
        import gzip

        stream = gzip.GzipFile(filename="", mode="wb", compresslevel=level, fileobj=output, mtime=0)
    elif suffix == ".xz":
        import lzma

        stream = lzma.LZMAFile(output, "wb", preset=level)  # type: ignore[arg-type]  # noqa: SIM115
    else:
        import zstandard

        compressor = zstandard.ZstdCompressor(level=level)
        stream = compressor.stream_writer(output, closefd=False)  # type: ignore[arg-type]
    opened: IO[bytes] = stream
    return opened


def decompress(file: IO[bytes], suffix: str, chunk_bytes: int) -> Iterator[bytes]:
    """Yield the decompressed content of an open file.

    Parameters
    ----------
    file : binary file
        Compressed file.
    suffix : str
        Suffix that selects the format. Empty: not compressed.
    chunk_bytes : int
        Approximate maximum size of the pieces in bytes.

    Raises
    ------
    OSError, EOFError
        If the file is unreadable, damaged or truncated.
    InputError
        If the library for the suffix is not installed.
    """
    return _DECOMPRESSORS.get(suffix, _plain_pieces)(file, chunk_bytes)


def _plain_pieces(file: IO[bytes], chunk_bytes: int) -> Iterator[bytes]:
    while piece := file.read(chunk_bytes):
        yield piece


def _gzip_pieces(file: IO[bytes], chunk_bytes: int) -> Iterator[bytes]:
    # Not gzip.open, which accepts what zlib, and so every solver, rejects.
    import zlib

    member, began, padded = None, False, False
    try:
        while raw := file.read(chunk_bytes):
            while raw:
                if member is None:
                    padded = padded or (began and raw.startswith(b"\0"))
                    if padded:
                        # Zeros end the file: programs disagree about data after them.
                        if raw.strip(b"\0"):
                            raise OSError("there is data after the zeros at the end")
                        break
                    member, began = zlib.decompressobj(zlib.MAX_WBITS | _ZLIB_GZIP), True
                yield member.decompress(raw, chunk_bytes)
                # At the end of the member, unconsumed_tail may contain the next member.
                while member.unconsumed_tail and not member.eof:
                    yield member.decompress(member.unconsumed_tail, chunk_bytes)
                raw = member.unused_data
                if member.eof:
                    member = None
    except zlib.error as error:
        raise OSError(str(error)) from error
    if member:
        raise EOFError("compressed file ended before the end of its last member")


def _xz_pieces(file: IO[bytes], chunk_bytes: int) -> Iterator[bytes]:
    # Not lzma.open, whose memory is unbounded.
    import lzma

    stream = None
    try:
        while raw := file.read(_PIECE_BYTES):
            while raw:
                if stream is None:
                    # Streams may be padded with zeros.
                    if not (raw := raw.lstrip(b"\0")):
                        break
                    stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MAX_WINDOW_BYTES)
                yield stream.decompress(raw, chunk_bytes)
                while not (stream.needs_input or stream.eof):
                    yield stream.decompress(b"", chunk_bytes)
                raw = stream.unused_data
                if stream.eof:
                    stream = None
    except lzma.LZMAError as error:
        raise OSError(str(error)) from error
    if stream:
        raise EOFError("compressed file ended before the end of its last stream")


def _zstandard_pieces(file: IO[bytes], chunk_bytes: int) -> Iterator[bytes]:
    # Not the library's stream reader, which accepts a truncated file.
    try:
        import zstandard
    except ImportError as error:
        raise InputError("zst needs zstandard", "pip install zstandard") from error

    frame = None
    try:
        while raw := file.read(_PIECE_BYTES):
            while raw:
                if frame is None:
                    reader = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW_BYTES)
                    frame = reader.decompressobj()
                yield frame.decompress(raw)
                raw = frame.unused_data
                if frame.eof:
                    frame = None
    except zstandard.ZstdError as error:
        raise OSError(str(error)) from error
    if frame:
        raise EOFError("compressed file ended before the end of its last frame")


_DECOMPRESSORS: dict[str, Callable[[IO[bytes], int], Iterator[bytes]]] = {
    ".gz": _gzip_pieces,
    ".xz": _xz_pieces,
    ".zst": _zstandard_pieces,
}

"""Compressed DIMACS: read as the standard library unpacks it, or refused.

The first byte of an input says which kind of file the rest is.
"""

from __future__ import annotations

import gzip
import lzma
import zlib

import zstandard

from boardsat.adapters.dimacs.reader import DimacsError, open_cnf
from fuzz.judging import scratch
from fuzz.target import Target
from fuzz.targets import dimacs

ENDINGS = (".gz", ".xz", ".zst")
MAX_BYTES = 2**22
"""Bytes of text that are compared; beyond, an input is only read."""


def seeds() -> list[bytes]:
    texts = dimacs.seeds()[:6]
    texts += [b"c " + b"x" * 20_000 + b"\n" + b"c\n" * 20_000 + b"p cnf 2 1\n1 2 0\n", b""]
    inputs = []
    for text in texts:
        inputs += [
            b"0" + gzip.compress(text, 9, mtime=0),
            b"0" + gzip.compress(text[:9], mtime=0) + gzip.compress(text[9:], mtime=0),
            b"1" + lzma.compress(text),
            b"1" + lzma.compress(text, lzma.FORMAT_ALONE),
            b"2" + zstandard.compress(text),
        ]
    return inputs


def check(data: bytes) -> None:
    ending = ENDINGS[data[0] % 3 if data else 0]
    path = scratch() / f"input.cnf{ending}"
    path.write_bytes(data[1:])
    literals_of: tuple[list[int], list[int]] = ([], [])
    try:
        with open_cnf(path, strict=False) as cnf:
            for literals, is_xor in cnf.pieces():
                literals_of[is_xor].extend(literals.tolist())
    except DimacsError as error:
        assert str(error).isprintable()
        return
    text = unpacked(ending, data[1:])
    assert text is not None, "read, although it cannot be unpacked"
    if len(text) <= MAX_BYTES:
        assert dimacs.read(text, False) == dimacs.Read(*map(dimacs.split, literals_of))


def unpacked(ending: str, data: bytes) -> bytes | None:
    """Decompress slightly more than is compared, at most."""
    try:
        if ending == ".gz":
            return _gunzipped(data)
        if ending == ".xz":
            return lzma.LZMADecompressor().decompress(data, MAX_BYTES + 1)
        with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as stream:
            return stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, lzma.LZMAError, zlib.error, zstandard.ZstdError):
        return None


def _gunzipped(data: bytes) -> bytes:
    text = b""
    while data.strip(b"\0"):
        member = zlib.decompressobj(wbits=31)
        text += member.decompress(data, MAX_BYTES + 1 - len(text))
        data = member.unused_data
        if not member.eof or len(text) > MAX_BYTES:
            break
    return text


TARGET = Target(seeds, check)

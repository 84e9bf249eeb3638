"""Reduction of an input to a smaller one with the same fault."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 30.0


def shrunk(data: bytes, is_same: Callable[[bytes], bool]) -> bytes:
    """Remove pieces, first halves, then less: lines, then words, then bytes."""
    end = time.monotonic() + SECONDS
    for separator in (b"\n", b" ", b""):
        data = _without(data, separator, is_same, end)
    return data


def _without(data: bytes, separator: bytes, is_same: Callable[[bytes], bool], end: float) -> bytes:
    pieces = data.split(separator) if separator else [data[i : i + 1] for i in range(len(data))]
    size = len(pieces)
    while size := size // 2:
        start = 0
        while start < len(pieces) and time.monotonic() < end:
            fewer = pieces[:start] + pieces[start + size :]
            if is_same(separator.join(fewer)):
                pieces = fewer
            else:
                start += size
    return separator.join(pieces)

"""Spool of arrays: in memory while they are small, spilled to an unnamed file beyond a limit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import IO

import numpy as np

from boardsat.generators.arrays import Tokens

MAX_MEMORY_BYTES = 2**24
"""Maximum number of bytes of a spool in memory (16 MB)."""


class Spool:
    """Sequence of arrays of tokens that can be appended to, and read in either direction.

    Parameters
    ----------
    in_memory : int
        Number of bytes that stay in memory.
    """

    def __init__(self, in_memory: int = MAX_MEMORY_BYTES) -> None:
        self.in_memory = in_memory
        self.bytes = 0
        self._arrays: list[Tokens] = []
        self._file: IO[bytes] | None = None
        self._segments: list[tuple[int, int]] = []

    def append(self, tokens: Tokens) -> None:
        if not len(tokens):
            return
        self.bytes += tokens.nbytes
        if self._file is None and self.bytes <= self.in_memory:
            self._arrays.append(tokens)
            return
        if self._file is None:
            # Unnamed, so that nothing is left behind however the program ends.
            self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._segments.append((self._file.tell(), len(tokens)))
        self._file.write(np.ascontiguousarray(tokens, np.int32).data)

    def __iter__(self) -> Iterator[Tokens]:
        yield from self._arrays
        for segment in self._segments:
            yield self._read(segment)

    def __reversed__(self) -> Iterator[Tokens]:
        for segment in reversed(self._segments):
            yield self._read(segment)
        yield from reversed(self._arrays)

    def _read(self, segment: tuple[int, int]) -> Tokens:
        assert self._file is not None
        self._file.seek(segment[0])
        return np.frombuffer(self._file.read(4 * segment[1]), np.int32)

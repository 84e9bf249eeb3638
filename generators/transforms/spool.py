"""Arrays kept in order to be read again: in memory while small, then in an unnamed file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import IO

import numpy as np

from boardsat.generators.arrays import Tokens

IN_MEMORY = 2**24
"""Bytes that one spool keeps in memory (16 MB)."""


class Spool:
    """Append arrays of tokens, then go through them forwards or backwards, any number of times."""

    def __init__(self, in_memory: int = IN_MEMORY) -> None:
        self.in_memory = in_memory
        self.bytes = 0
        self._kept: list[Tokens] = []
        self._file: IO[bytes] | None = None
        self._places: list[tuple[int, int]] = []

    def append(self, tokens: Tokens) -> None:
        if not len(tokens):
            return
        self.bytes += tokens.nbytes
        if self._file is None and self.bytes <= self.in_memory:
            self._kept.append(tokens)
            return
        if self._file is None:
            # Unnamed, so that nothing is left behind however the program ends.
            self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._places.append((self._file.tell(), len(tokens)))
        self._file.write(np.ascontiguousarray(tokens, np.int32).data)

    def __iter__(self) -> Iterator[Tokens]:
        yield from self._kept
        for place in self._places:
            yield self._read(place)

    def __reversed__(self) -> Iterator[Tokens]:
        for place in reversed(self._places):
            yield self._read(place)
        yield from reversed(self._kept)

    def _read(self, place: tuple[int, int]) -> Tokens:
        assert self._file is not None
        self._file.seek(place[0])
        return np.frombuffer(self._file.read(4 * place[1]), np.int32)

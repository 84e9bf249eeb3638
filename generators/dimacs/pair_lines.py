"""Groups of pairs to lines of text, for whole blocks at once.

The literals of a group fall into runs of equal width. Pairs inside a run make a triangle of equally
long lines, pairs of two runs a rectangle; each is filled as a whole, and their rows in turn are the
text. Bytes are moved only a few times that way; dropping padding, as rows of clauses need, would
take longer than all the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np

from boardsat.base.compression import Buffer
from boardsat.generators.arrays import Ints, Words
from boardsat.generators.clauses.chunks import Pairs
from boardsat.generators.dimacs.words import END, widths

PIECE = 2**18
"""Bytes that go out at a time, about: small enough to stay in cache."""

NARROWEST = 6
"""Shorter literals are padded to this, or their words would reach into the next line."""

SHORTEST_LINE, LONGEST_LINE = 2 * NARROWEST + 2, 2 * 8 + 2
"""Two literals, padded or filling their words, and the line's end."""

LARGEST_GROUP = PIECE // LONGEST_LINE
"""So that at least the pairs of one literal fit into a piece."""

MOST_RUNS = 8
"""Where widths change more often, the group is padded to one width instead."""


class Run(NamedTuple):
    """Neighbours in a group that get equal room."""

    start: int
    stop: int
    room: int
    padded: bool
    """Whether some need less, so that zero bytes must be dropped afterwards."""


class PairLines:
    """Writes pairs into one block of memory. A memoryview of it is valid until the next piece."""

    def __init__(self) -> None:
        self.scratch = np.empty(PIECE, np.uint8).data
        self.ends = np.full(PIECE // SHORTEST_LINE, END, np.uint16)

    def text(self, pairs: Pairs, words: Words) -> Iterator[Buffer]:
        """Group after group, given the words of all their literals."""
        for runs in _runs(pairs):
            for place, run in enumerate(runs):
                for low, high in _blocks(runs[-1].stop - run.start, run.stop - run.start):
                    yield self._block(words, run.start + low, run.start + high, runs[place:])

    def _block(self, words: Words, low: int, high: int, runs: list[Run]) -> Buffer:
        """The pairs that begin with low..high of the first run."""
        own, *others = runs
        if any(run.padded for run in runs):
            widest = max(run.room for run in runs)
            padded = self._triangle(words[low : runs[-1].stop], high - low, widest)
            return bytes(padded).translate(None, b"\0")
        triangle = self._triangle(words[low : own.stop], high - low, own.room)
        if not others:
            return triangle
        rows, used = words[low:high], len(triangle)
        ends = _row_ends(own.stop - low, high - low, 2 * own.room + 2)
        parts = [[triangle[start:end] for start, end in pairwise(ends)]]
        for other in others:
            columns = words[other.start : other.stop]
            first, second = rows.repeat(len(columns)), columns[None].repeat(len(rows), 0).ravel()
            start, used = used, self._fill(used, first, second, own.room, other.room)
            step = (used - start) // len(rows)
            parts.append([self.scratch[at : at + step] for at in range(start, used, step)])
        return b"".join(chain.from_iterable(zip(*parts, strict=True)))

    def _triangle(self, words: Words, rows: int, room: int) -> memoryview:
        """The pairs that begin with one of the first rows."""
        counts, second = _triangle(len(words), rows)
        used = self._fill(0, words[:rows].repeat(counts), words.take(second), room, room)
        return self.scratch[:used]

    def _fill(self, start: int, first: Words, second: Words, room: int, other_room: int) -> int:
        """Put the lines of these pairs into the scratch, and tell where they end.

        A word of eight bytes is written for the first literal, one for the second over its end, and
        the line's end over that. All three are whole arrays: a single value is written eight times
        slower by NumPy to places that are not aligned.
        """
        line = room + other_room + 2
        ends = self.ends[: len(first)]
        for offset, values in ((0, first), (room, second), (room + other_room, ends)):
            shape, kind = values.shape, values.dtype
            np.ndarray(shape, kind, self.scratch, start + offset, (line,))[:] = values
        return start + len(first) * line


def _runs(pairs: Pairs) -> Iterator[list[Run]]:
    """The runs of every group that has members."""
    width = widths(pairs.literals_of_groups)
    width[width < NARROWEST] = 0
    bounds = np.concatenate([pairs.starts, np.flatnonzero(np.diff(width)) + 1])
    bounds.sort()
    places = np.searchsorted(bounds, pairs.starts, "right").tolist()
    turns, rooms = bounds.tolist(), width.tolist()
    for first, last in pairwise(places):
        inner = [(a, b) for a, b in pairwise(turns[first - 1 : last]) if a < b]
        runs = [Run(a, b, rooms[a] or NARROWEST, not rooms[a]) for a, b in inner]
        if len(runs) > MOST_RUNS:
            runs = [Run(inner[0][0], inner[-1][1], max(run.room for run in runs), True)]
        if runs:
            yield runs


@lru_cache(maxsize=1024)
def _blocks(size: int, stop: int) -> list[tuple[int, int]]:
    """Slices of 0..stop whose pairs with all that follow them, up to size, make a piece each."""
    blocks, low, lines = [], 0, 0
    for row in range(stop):
        lines += size - 1 - row
        if lines > PIECE // LONGEST_LINE:
            blocks.append((low, row))
            low, lines = row, size - 1 - row
    return [*blocks, (low, stop)]


@lru_cache(maxsize=64)
def _triangle(size: int, rows: int) -> tuple[Ints, Ints]:
    """How many pairs of 0..size begin with each of the first rows, and what is second in them."""
    counts = np.arange(size - 1, size - 1 - rows, -1)
    second = np.concatenate([np.arange(row + 1, size) for row in range(rows)])
    return counts, second


@lru_cache(maxsize=1024)
def _row_ends(size: int, rows: int, line: int) -> list[int]:
    """Where the rows of a triangle begin and end in its text."""
    return [0, *accumulate(line * (size - 1 - row) for row in range(rows))]

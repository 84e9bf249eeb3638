"""Chunks of clauses to DIMACS text: rows by a table of words, pairs by repeating two of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import numpy as np

from generators.arrays import Ints, Tokens
from generators.chunks import Chunk, Pairs, Rows
from generators.words import END, ONE_WORD, Lexicon, widths

PIECE = 2**18
"""Bytes that go out at a time, about: small enough to stay in cache."""

LINE = 18
"""The longest line of a pair that is put together from words: two literals of seven signs."""

Buffer = bytes | memoryview


class Renderer:
    """Renders the clauses of a formula. A memoryview it yields is valid until the next one."""

    def __init__(self, variables: int) -> None:
        self.lexicon = Lexicon(variables)
        self.scratch = np.empty(PIECE + LINE, np.uint8)

    def text(self, chunk: Chunk) -> Iterator[Buffer]:
        return self._pairs(chunk) if isinstance(chunk, Pairs) else self._rows(chunk)

    def _rows(self, rows: Rows) -> Iterator[Buffer]:
        step = PIECE // 8
        for start in range(0, len(rows.tokens), step):
            yield self.lexicon.text(rows.tokens[start : start + step])

    def _pairs(self, pairs: Pairs) -> Iterator[Buffer]:
        """Group after group: first the pairs in which numbers differ in length, then the others."""
        lengths = widths(pairs.literals_of_groups) - 1
        bounds = pairs.starts.tolist()
        for start, stop in pairwise(bounds):
            group, length = pairs.literals_of_groups[start:stop], lengths[start:stop]
            longest = int(length.max(initial=0))
            if np.abs(group).max(initial=0) >= ONE_WORD:
                for rows in Pairs(group, np.array([0, len(group)])).rows():
                    yield from self._rows(rows)
                continue
            if longest == 0:
                continue
            last = int(length[-1])
            uneven = np.flatnonzero(length != last)
            even = int(uneven[-1]) + 1 if len(uneven) else 0
            yield from self._pair_lines(group, 0, even, longest, True)
            yield from self._pair_lines(group, even, len(group), last, last < SHORTEST)

    def _pair_lines(
        self, group: Tokens, first: int, last: int, longest: int, padded: bool
    ) -> Iterator[Buffer]:
        """The pairs that begin with group[first:last], each line in a slot of the same width.

        A word of eight bytes is written for the first literal, one for the second over its end, and
        the line's end over that. Where all numbers are equally long the bytes are final; otherwise
        zero bytes remain to be dropped.
        """
        room = max(longest, SHORTEST) + 1
        width = 2 * room + 2
        words = self.lexicon.words(group)
        for low, high, second in _triangle(len(group), first, last, PIECE // width):
            count = len(second)
            slots = [
                np.ndarray((count,), kind, self.scratch.data, offset, (width,))
                for kind, offset in (("<u8", 0), ("<u8", room), ("<u2", 2 * room))
            ]
            slots[0][:] = np.repeat(
                words[low:high], np.arange(len(group) - 1 - low, len(group) - 1 - high, -1)
            )
            slots[1][:] = words.take(second)
            slots[2][:] = END
            text = self.scratch.data[: count * width]
            yield text.tobytes().translate(None, b"\0") if padded else text


SHORTEST = 5
"""Shorter literals get padding, or a word for the second one would reach into the next line."""


def _triangle(size: int, first: int, last: int, most: int) -> Iterator[tuple[int, int, Ints]]:
    """Slices low..high of the first members, with the second members of all their pairs."""
    if size <= 2048:
        yield from _small_triangle(size, first, last, most)
        return
    yield from _slices(size, first, last, most)


@lru_cache(maxsize=64)
def _small_triangle(size: int, first: int, last: int, most: int) -> list[tuple[int, int, Ints]]:
    return list(_slices(size, first, last, most))


def _slices(size: int, first: int, last: int, most: int) -> Iterator[tuple[int, int, Ints]]:
    low, end = first, min(last, size - 1)
    while low < end:
        high, pairs = low + 1, size - 1 - low
        while high < end and pairs + size - 1 - high <= most:
            pairs += size - 1 - high
            high += 1
        yield low, high, np.concatenate([np.arange(k + 1, size) for k in range(low, high)])
        low = high


def measure(chunk: Chunk) -> int:
    """How many bytes the chunk's text has."""
    if isinstance(chunk, Rows):
        return int(widths(chunk.tokens).sum())
    # Every literal of a group of k stands in k-1 pairs, and every pair ends with `0` and a newline.
    width = widths(chunk.literals_of_groups)
    return int((width * np.repeat(chunk.sizes - 1, chunk.sizes)).sum()) + 2 * chunk.clauses

"""Clause text: chunks of clauses as DIMACS lines, rows by a table of literals, pairs in blocks.

The literals of a group of pairs fall into runs of equal width. Pairs inside a run make a triangle
of equally long lines, pairs of two runs a rectangle. Each is filled as a whole; the text takes rows
from them in turn. So bytes are moved only a few times. Other clauses are written with padding,
whose removal takes longer than everything else. An XOR line is a row with an `x` before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np

from boardsat.base.compression import Buffer
from boardsat.generators.arrays import Ints, Tokens, Words
from boardsat.generators.blocks import Chunk, Pairs, Rows, XorLines

ONE_WORD = 10**6
"""Bound of the variables whose literals, as text with a space, fit one word of eight bytes."""

MILLION_TABLE_THRESHOLD = 64
"""Number of consecutive texts within the same million after which a table of it is made.

Making the table takes about as long as these texts.
"""

END = int.from_bytes(b"0\n", "little")


def digits(numbers: Ints, width: int = 0) -> Words:
    """Return the decimal digits of numbers below 10**8, the first digit in the lowest byte.

    Numbers are padded with leading zeros to the width; 0: they are not padded.
    """
    text: Words = np.zeros(len(numbers), np.uint64)
    dividend = numbers.astype(np.uint64)
    for position in range(width or len(str(dividend.max(initial=0)))):
        # NumPy divides by a constant far faster than it divides and takes the remainder.
        quotient = dividend // np.uint64(10)
        digit = dividend - quotient * np.uint64(10)
        longer = (text << np.uint64(8)) | (digit + np.uint64(48))
        text = longer if width or position == 0 else np.where(dividend > 0, longer, text)
        dividend = quotient
    return text


def length_of(words: Words) -> Words:
    """Return the number of bytes used in each word."""
    used: Words = np.zeros(len(words), np.uint64)
    for position in range(8):
        used += words >= np.uint64(1 << 8 * position)
    return used


def append(words: Words, text: bytes) -> Words:
    """Return each word followed by the text."""
    suffix = np.uint64(int.from_bytes(text, "little"))
    return words | (suffix << (np.uint64(8) * length_of(words)))


def prepend(text: bytes, words: Words) -> Words:
    """Return each word preceded by the text."""
    prefix = np.uint64(int.from_bytes(text, "little"))
    return prefix | (words << np.uint64(8 * len(text)))


class LiteralTable:
    """Table of the words of all literals, `1 `, `-1 `, ..., and of the clause end `0\\n`."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.two_words = variables >= ONE_WORD
        positive = digits(np.arange(min(variables + 1, ONE_WORD)))
        self._table = self._signed(positive)
        if self.two_words:
            self._tail = append(digits(np.arange(ONE_WORD), width=6), b" ")
            self._head = digits(np.arange(variables // ONE_WORD + 1))
        self._million, self._num_consecutive = -1, 0
        self._of_million: Words | None = None

    def _signed(self, positive: Words) -> Words:
        """Return a table whose entry k is the word of literal k; negative k count from the end."""
        spaced = append(positive, b" ")
        spaced[0] = END
        return np.concatenate([spaced, prepend(b"-", spaced[:0:-1])])

    def words(self, literals: Tokens) -> Words:
        """Return the words of literals below a million."""
        return self._table[literals]

    def text(self, tokens: Tokens) -> bytes:
        """Return clauses as DIMACS lines."""
        if not self.two_words:
            words = self._table.take(tokens)
        elif (table := self._table_for(tokens)) is not None:
            words = table.take(self._within(tokens), axis=0)
        else:
            words = self._pairs(tokens)
        return words.tobytes().translate(None, b"\0")

    def _within(self, tokens: Tokens) -> Tokens:
        """Return literals of the current million, counted from its beginning."""
        offset: Tokens = np.sign(tokens) * np.int32(self._million * ONE_WORD)
        return tokens - offset

    def _table_for(self, tokens: Tokens) -> Words | None:
        """Return the table of the million that contains all tokens.

        None if they are of several millions, or if the table has not been made yet.
        """
        size = np.abs(tokens)
        # The end of a clause, 0, becomes the largest number.
        lowest = int((size.view(np.uint32) - np.uint32(1)).min(initial=2**32 - 1)) // ONE_WORD
        highest = (int(size.max(initial=0)) - 1) // ONE_WORD
        if lowest != highest:
            return None
        if highest != self._million:
            self._million, self._num_consecutive, self._of_million = highest, 0, None
        self._num_consecutive += 1
        if self._num_consecutive == MILLION_TABLE_THRESHOLD:
            self._of_million = self._million_table()
        return self._of_million

    def _million_table(self) -> Words:
        """Return the pairs of words of the current million; entry 0 is the end of a clause."""
        offset = self._million * ONE_WORD
        last = min(offset + ONE_WORD, self.variables)
        positive = np.arange(offset + 1, last + 1, dtype=np.int32)
        return self._pairs(np.concatenate([[0], positive, -positive[::-1]], dtype=np.int32))

    def _pairs(self, tokens: Tokens) -> Words:
        """Return two words for each token."""
        size = np.abs(tokens)
        millions, remainder = np.divmod(size, ONE_WORD)
        head = self._head[millions]
        head = np.where(tokens < 0, prepend(b"-", head), head)
        small = millions == 0
        pair = np.empty((len(tokens), 2), np.uint64)
        pair[:, 0] = np.where(small, 0, head)
        pair[:, 1] = self._tail[remainder]
        pair[small, 1] = self._table[tokens[small]]
        return pair


def widths(tokens: Tokens) -> Ints:
    """Return the number of bytes of each token, with the space or line end after it."""
    size = np.abs(tokens)
    width = np.full(len(tokens), 2, np.int64) + (tokens < 0)
    for power in range(1, 10):
        width += size >= 10**power
    return width


# Freeing a large block raises the size from which on glibc hands freed memory back to the kernel
# (mallopt(3), M_MMAP_THRESHOLD). Otherwise the memory of every piece costs page faults again.
np.empty(2**24, np.uint8)

PIECE_BYTES = 2**18  # about the size of a piece of text: small enough to stay in cache
MIN_WIDTH = 6  # shorter literals are padded, or their words would reach into the next line
MIN_LINE_BYTES, MAX_LINE_BYTES = 2 * MIN_WIDTH + 2, 2 * 8 + 2  # two literals and the line's end
MAX_GROUP_SIZE = PIECE_BYTES // MAX_LINE_BYTES  # the pairs of one literal must fit into a piece
MAX_RUNS = 8  # a group whose widths change more often is padded to one width


class Run(NamedTuple):
    """Consecutive literals of a group that get equal width."""

    start: int
    stop: int
    width: int
    padded: bool
    """True if literals are narrower, so that zero bytes must be removed afterwards."""


class PairLines:
    """Writer of pairs into one block of memory; its memoryviews are valid until the next piece."""

    def __init__(self) -> None:
        self.scratch = np.empty(PIECE_BYTES, np.uint8).data
        self.line_ends = np.full(PIECE_BYTES // MIN_LINE_BYTES, END, np.uint16)

    def text(self, pairs: Pairs, words: Words) -> Iterator[Buffer]:
        """Yield the text of each group, given the words of all literals."""
        for runs in _runs(pairs):
            for index, run in enumerate(runs):
                for low, high in _blocks(runs[-1].stop - run.start, run.stop - run.start):
                    yield self._block(words, run.start + low, run.start + high, runs[index:])

    def _block(self, words: Words, low: int, high: int, runs: list[Run]) -> Buffer:
        """Return the text of the pairs whose first literal is in low..high, in the first run."""
        first_run, *other_runs = runs
        if any(run.padded for run in runs):
            width = max(run.width for run in runs)
            padded = self._triangle(words[low : runs[-1].stop], high - low, width)
            return bytes(padded).translate(None, b"\0")
        triangle = self._triangle(words[low : first_run.stop], high - low, first_run.width)
        if not other_runs:
            return triangle
        rows, used = words[low:high], len(triangle)
        bounds = _row_bounds(first_run.stop - low, high - low, 2 * first_run.width + 2)
        parts = [[triangle[start:end] for start, end in pairwise(bounds)]]
        for run in other_runs:
            columns = words[run.start : run.stop]
            first, second = rows.repeat(len(columns)), columns[None].repeat(len(rows), 0).ravel()
            start, used = used, self._fill(used, first, second, first_run.width, run.width)
            step = (used - start) // len(rows)
            parts.append([self.scratch[at : at + step] for at in range(start, used, step)])
        return b"".join(chain.from_iterable(zip(*parts, strict=True)))

    def _triangle(self, words: Words, rows: int, width: int) -> memoryview:
        """Return the text of all pairs that begin with one of the first `rows` words."""
        counts, second = _triangle(len(words), rows)
        used = self._fill(0, words[:rows].repeat(counts), words.take(second), width, width)
        return self.scratch[:used]

    def _fill(self, start: int, first: Words, second: Words, width: int, other_width: int) -> int:
        """Write the lines of pairs into the scratch memory, and return their end.

        A word of eight bytes is written for the first literal, one for the second over its end, and
        the line's end over that. All three are whole arrays: NumPy writes a single value to
        addresses that are not aligned eight times slower.
        """
        line = width + other_width + 2
        ends = self.line_ends[: len(first)]
        for offset, values in ((0, first), (width, second), (width + other_width, ends)):
            shape, kind = values.shape, values.dtype
            np.ndarray(shape, kind, self.scratch, start + offset, (line,))[:] = values
        return start + len(first) * line


def _runs(pairs: Pairs) -> Iterator[list[Run]]:
    """Yield the runs of every group that is not empty."""
    width = widths(pairs.group_literals)
    width[width < MIN_WIDTH] = 0
    bounds = np.concatenate([pairs.starts, np.flatnonzero(np.diff(width)) + 1])
    bounds.sort()
    groups = np.searchsorted(bounds, pairs.starts, "right").tolist()
    run_bounds, run_widths = bounds.tolist(), width.tolist()
    for first, last in pairwise(groups):
        inner = [(a, b) for a, b in pairwise(run_bounds[first - 1 : last]) if a < b]
        runs = [Run(a, b, run_widths[a] or MIN_WIDTH, not run_widths[a]) for a, b in inner]
        if len(runs) > MAX_RUNS:
            runs = [Run(inner[0][0], inner[-1][1], max(run.width for run in runs), True)]
        if runs:
            yield runs


@lru_cache(maxsize=1024)
def _blocks(size: int, stop: int) -> list[tuple[int, int]]:
    """Return slices of 0..stop; the pairs of a slice with all later literals fill a piece."""
    blocks, low, lines = [], 0, 0
    for row in range(stop):
        lines += size - 1 - row
        if lines > PIECE_BYTES // MAX_LINE_BYTES:
            blocks.append((low, row))
            low, lines = row, size - 1 - row
    return [*blocks, (low, stop)]


@lru_cache(maxsize=64)
def _triangle(size: int, rows: int) -> tuple[Ints, Ints]:
    """Return the lengths and the second literals of the first rows of the pairs of 0..size."""
    counts = np.arange(size - 1, size - 1 - rows, -1)
    second = np.concatenate([np.arange(row + 1, size) for row in range(rows)])
    return counts, second


@lru_cache(maxsize=1024)
def _row_bounds(size: int, rows: int, line: int) -> list[int]:
    """Return where the rows of a triangle begin and end in its text."""
    return [0, *accumulate(line * (size - 1 - row) for row in range(rows))]


class Renderer:
    """Renderer of a formula's clauses; a memoryview that it yields is valid until the next one."""

    def __init__(self, variables: int) -> None:
        self.literals = LiteralTable(variables)
        self.pair_lines = PairLines()

    def text(self, chunk: Chunk) -> Iterator[Buffer]:
        if isinstance(chunk, XorLines):
            return self._xor_lines(chunk)
        return self._pairs(chunk) if isinstance(chunk, Pairs) else self._rows(chunk)

    def _xor_lines(self, lines: XorLines) -> Iterator[Buffer]:
        text = b"x" if len(lines.tokens) else b""
        for piece in self._rows(Rows(lines.tokens)):
            # The `x` of the next line is held back until there is one.
            text += bytes(piece).replace(b"\n", b"\nx")
            yield text.removesuffix(b"x")
            text = b"x" if text.endswith(b"x") else b""

    def _rows(self, rows: Rows) -> Iterator[Buffer]:
        step = PIECE_BYTES // 8
        for start in range(0, len(rows.tokens), step):
            yield self.literals.text(rows.tokens[start : start + step])

    def _pairs(self, pairs: Pairs) -> Iterator[Buffer]:
        """Yield lines in blocks, or by rows if numbers need two words or a group is too large."""
        literals = pairs.group_literals
        largest, longest = np.abs(literals).max(initial=0), pairs.sizes.max(initial=0)
        if largest < ONE_WORD and longest <= MAX_GROUP_SIZE:
            yield from self.pair_lines.text(pairs, self.literals.words(literals))
            return
        for rows in pairs.rows():
            yield from self._rows(rows)


def measure(chunk: Chunk) -> int:
    """Return the number of bytes of the chunk's text."""
    if not isinstance(chunk, Pairs):
        return int(widths(chunk.tokens).sum()) + chunk.xor_lines
    # Every literal of a group of k occurs in k-1 pairs; every pair ends with `0` and a newline.
    width = widths(chunk.group_literals)
    return int((width * np.repeat(chunk.sizes - 1, chunk.sizes)).sum()) + 2 * chunk.clauses

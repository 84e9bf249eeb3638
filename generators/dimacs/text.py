"""Chunks of clauses to DIMACS text: rows by a table of words, pairs by blocks of lines.

An xor line is a row with an `x` before it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from boardsat.base.compression import Buffer
from boardsat.generators.clauses.chunks import Chunk, Pairs, Rows, XorLines
from boardsat.generators.dimacs.pair_lines import LARGEST_GROUP, PIECE, PairLines
from boardsat.generators.dimacs.words import ONE_WORD, Lexicon, widths

__all__ = ["PIECE", "Renderer", "measure"]

# Freeing a large block raises the size from which on glibc hands freed memory back to the kernel
# (mallopt(3), M_MMAP_THRESHOLD). Otherwise the memory of every piece costs page faults again.
np.empty(2**24, np.uint8)


class Renderer:
    """Renders the clauses of a formula. A memoryview it yields is valid until the next one."""

    def __init__(self, variables: int) -> None:
        self.lexicon = Lexicon(variables)
        self.pair_lines = PairLines()

    def text(self, chunk: Chunk) -> Iterator[Buffer]:
        if isinstance(chunk, XorLines):
            return self._xor_lines(chunk)
        return self._pairs(chunk) if isinstance(chunk, Pairs) else self._rows(chunk)

    def _xor_lines(self, lines: XorLines) -> Iterator[Buffer]:
        text = b"x" if len(lines.tokens) else b""
        for piece in self._rows(Rows(lines.tokens)):
            # What begins the next line waits until there is one.
            text += bytes(piece).replace(b"\n", b"\nx")
            yield text.removesuffix(b"x")
            text = b"x" if text.endswith(b"x") else b""

    def _rows(self, rows: Rows) -> Iterator[Buffer]:
        step = PIECE // 8
        for start in range(0, len(rows.tokens), step):
            yield self.lexicon.text(rows.tokens[start : start + step])

    def _pairs(self, pairs: Pairs) -> Iterator[Buffer]:
        """In blocks of lines; numbers of two words and groups of many thousands as rows."""
        literals = pairs.literals_of_groups
        largest, longest = np.abs(literals).max(initial=0), pairs.sizes.max(initial=0)
        if largest < ONE_WORD and longest <= LARGEST_GROUP:
            yield from self.pair_lines.text(pairs, self.lexicon.words(literals))
            return
        for rows in pairs.rows():
            yield from self._rows(rows)


def measure(chunk: Chunk) -> int:
    """How many bytes the chunk's text has."""
    if not isinstance(chunk, Pairs):
        return int(widths(chunk.tokens).sum()) + chunk.xor_lines
    # Every literal of a group of k stands in k-1 pairs, and every pair ends with `0` and a newline.
    width = widths(chunk.literals_of_groups)
    return int((width * np.repeat(chunk.sizes - 1, chunk.sizes)).sum()) + 2 * chunk.clauses

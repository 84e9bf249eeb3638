"""Chunks of clauses between families and the file: rows of tokens, groups of pairs, xor lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from boardsat.base.errors import InputError
from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.patterns import columns, stack
from boardsat.generators.limits import CHUNK


@dataclass(frozen=True)
class Rows:
    """Clauses written out."""

    tokens: Tokens
    fresh: int = 0
    """How many fresh variables these clauses bring with them."""
    chosen: Mapping[str, int] = field(default_factory=dict)
    """How many groups have which encoding, where it was chosen for each by its size."""

    @property
    def clauses(self) -> int:
        return int(np.count_nonzero(self.tokens == 0))

    @property
    def literals(self) -> int:
        return len(self.tokens) - self.clauses

    @property
    def units(self) -> int:
        """Clauses of one literal: it stands between two ends, or an end and the beginning."""
        ends = np.concatenate([[True], self.tokens == 0])
        return int(np.count_nonzero(ends[:-2] & ~ends[1:-1] & ends[2:]))

    @property
    def num_bytes(self) -> int:
        return self.tokens.nbytes

    def rows(self) -> Iterator[Rows]:
        yield self

    xor_lines: ClassVar[int] = 0


@dataclass(frozen=True)
class Pairs:
    """All pairs of every group, as two-literal clauses that nobody needs to write out."""

    literals_of_groups: Tokens
    starts: Ints

    fresh = 0
    units = 0
    xor_lines = 0
    chosen: ClassVar[Mapping[str, int]] = {}

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    @property
    def clauses(self) -> int:
        return int(np.sum(self.sizes * (self.sizes - 1) // 2))

    @property
    def literals(self) -> int:
        return 2 * self.clauses

    @property
    def num_bytes(self) -> int:
        return self.literals_of_groups.nbytes + self.starts.nbytes

    def rows(self) -> Iterator[Rows]:
        """The same clauses written out, in the same order, in bounded chunks."""
        for start, stop in zip(self.starts[:-1], self.starts[1:], strict=True):
            group = self.literals_of_groups[start:stop]
            ahead = len(group) - 1 - np.arange(len(group))
            low = 0
            while low < len(group) - 1:
                high = low + max(1, int(np.searchsorted(np.cumsum(ahead[low:]), CHUNK, "right")))
                high = min(high, len(group) - 1)
                first = np.repeat(np.arange(low, high), ahead[low:high])
                offset = np.arange(len(first)) - np.repeat(
                    np.cumsum(ahead[low:high]) - ahead[low:high], ahead[low:high]
                )
                yield Rows(stack(columns(group[first], group[first + 1 + offset])))
                low = high


@dataclass(frozen=True)
class XorLines:
    """Sums of two or more literals, written out like clauses: each is odd."""

    tokens: Tokens
    fresh: int = 0

    units = 0
    chosen: ClassVar[Mapping[str, int]] = {}

    @property
    def clauses(self) -> int:
        """Lines of the file, which its header counts like clauses."""
        return int(np.count_nonzero(self.tokens == 0))

    @property
    def xor_lines(self) -> int:
        return self.clauses

    @property
    def literals(self) -> int:
        return len(self.tokens) - self.clauses

    @property
    def num_bytes(self) -> int:
        return self.tokens.nbytes

    def rows(self) -> Iterator[Rows]:
        raise no_clauses("clauses are asked for")


def split_rows(tokens: Tokens, fresh: int, size: int) -> Iterator[Rows]:
    """Yield clauses in chunks of about `size` tokens; the first one has the fresh variables."""
    ends = np.flatnonzero(tokens == 0) + 1
    start = 0
    while start < len(tokens):
        last = min(int(np.searchsorted(ends, start + size)), len(ends) - 1)
        yield Rows(tokens[start : ends[last]], fresh)
        start, fresh = int(ends[last]), 0
    if fresh:
        yield Rows(tokens[:0], fresh)


def no_clauses(reason: str) -> InputError:
    """What is said where something needs clauses."""
    return InputError(
        f"it has xor lines, and {reason}",
        "encode parity by clauses, with --set xor=chain",
    )


Chunk = Rows | Pairs | XorLines

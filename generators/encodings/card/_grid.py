"""A sequential counter as a grid: s[j, t] is about "at least j of the first j+t", where it matters.

The first j-1 cannot have j true ones, and a bound k of n leaves room for n-k false ones: so j runs
from 1 to k and t from 0 to n-k-1, which makes k(n-k) variables.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens
from boardsat.generators.clauses.patterns import columns, stack
from boardsat.generators.ragged import clean


class CounterGrid:
    """The variables of a counter up to k, with what is known around them as a border."""

    def __init__(self, x: Ints, k: int, fresh: int) -> None:
        self.x, self.k, self.rest = x, k, len(x) - k
        self.size = self.k * self.rest
        self.s = np.full((k + 2, self.rest + 2), FALSE)
        self.s[0, :] = self.s[:, -1] = TRUE
        self.s[1 : k + 1, 1 : self.rest + 1] = fresh + np.arange(self.size).reshape(k, self.rest)

    def up(self, bounded: bool) -> Tokens:
        """As many as are true, or more, are counted; if it is bounded, not more than k."""
        j, t = _places(self.k + bounded, self.rest)
        kept = columns(-self.s[j, t - 1], self.s[j, t])
        added = columns(-self.x[j + t - 2], -self.s[j - 1, t], self.s[j, t])
        return clean(stack(kept, added))

    def down(self, bounded: bool) -> Tokens:
        """As many as are true, or fewer, are counted; if it is bounded, not fewer than k."""
        j, t = _places(self.k, self.rest + bounded)
        fewer = columns(-self.s[j, t], self.s[j - 1, t])
        added = columns(-self.s[j, t], self.s[j, t - 1], self.x[j + t - 2])
        return clean(stack(fewer, added))


def _places(rows: int, columns: int) -> tuple[Ints, Ints]:
    j, t = np.indices((rows, columns)).reshape(2, -1) + 1
    return j, t


def tokens_up(n: int, k: int, bounded: bool) -> int:
    """How many the clauses of `up` have."""
    rest = n - k
    if k == 0:
        return 2 * rest if bounded else 0
    return 3 * k * (rest - 1) + (4 * k - 1) * rest + (3 * rest if bounded else 0)


def tokens_down(n: int, k: int, bounded: bool) -> int:
    """The same with true and false exchanged."""
    return tokens_up(n, n - k, bounded)

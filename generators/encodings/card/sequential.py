"""Sequential counter (Sinz, CP 2005): s[i, j] is implied if at least j of x[1..i] are true.

Variables that cannot affect the bound are omitted, as in PySAT: k(n-k) auxiliary variables, and
2k(n-k) + n - 2k clauses for at most k. For at least k the implications are reversed, 2k(n-k) +
2k - n clauses. Exactly k has both over the same variables. At least one and at most n-1 are one
clause. As the implications have one direction only, x does not determine the auxiliary variables.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens, clean, columns, stack

COUNT_PRESERVING = False


def tokens(n: int, low: int, high: int) -> int:
    upper = tokens_up(n, high, True) if high < n - 1 else n + 1
    lower = tokens_down(n, low, True) if low > 1 else n + 1
    return upper * (high < n) + lower * (low > 0)


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    if 1 < low == high < len(x) - 1:
        grid = CounterGrid(x, low, fresh)
        return np.concatenate([grid.up(True), grid.down(True)]), grid.size
    upper, used = _at_most(x, high, fresh)
    lower, used_by_lower = _at_least(x, low, fresh + used)
    return np.concatenate([upper, lower]), used + used_by_lower


def _at_most(x: Ints, k: int, fresh: int) -> tuple[Tokens, int]:
    if k >= len(x) - 1:
        return (stack() if k == len(x) else stack(-x[None, :])), 0
    grid = CounterGrid(x, k, fresh)
    return grid.up(True), grid.size


def _at_least(x: Ints, k: int, fresh: int) -> tuple[Tokens, int]:
    if k <= 1:
        return (stack() if k == 0 else stack(x[None, :])), 0
    grid = CounterGrid(x, k, fresh)
    return grid.down(True), grid.size


class CounterGrid:
    """Variables of the counter as a grid with constant borders: s[j, t] is "at least j of j+t".

    Among the first j+t literals at least j are true. If exactly k of all n are true, n-k are false,
    so that j runs from 1 to k and t from 0 to n-k-1: k(n-k) variables.
    """

    def __init__(self, x: Ints, k: int, fresh: int) -> None:
        self.x, self.k, self.num_false = x, k, len(x) - k
        self.size = self.k * self.num_false
        self.s = np.full((k + 2, self.num_false + 2), FALSE)
        self.s[0, :] = self.s[:, -1] = TRUE
        inner = self.s[1:-1, 1:-1]
        inner[:] = fresh + np.arange(self.size).reshape(inner.shape)

    def up(self, bounded: bool) -> Tokens:
        """Return clauses for "at least j are true implies s"; if bounded, at most k are true."""
        j, t = _places(self.k + bounded, self.num_false)
        carried = columns(-self.s[j, t - 1], self.s[j, t])
        added = columns(-self.x[j + t - 2], -self.s[j - 1, t], self.s[j, t])
        return clean(stack(carried, added))

    def down(self, bounded: bool) -> Tokens:
        """Return clauses for "s implies at least j are true"; if bounded, at least k are true."""
        j, t = _places(self.k, self.num_false + bounded)
        fewer = columns(-self.s[j, t], self.s[j - 1, t])
        added = columns(-self.s[j, t], self.s[j, t - 1], self.x[j + t - 2])
        return clean(stack(fewer, added))


def _places(rows: int, columns: int) -> tuple[Ints, Ints]:
    j, t = np.indices((rows, columns)).reshape(2, -1) + 1
    return j, t


def tokens_up(n: int, k: int, bounded: bool) -> int:
    """Return the number of tokens of `CounterGrid.up`."""
    num_false = n - k
    if k == 0:
        return 2 * num_false if bounded else 0
    return 3 * k * (num_false - 1) + (4 * k - 1) * num_false + 3 * num_false * bounded


def tokens_down(n: int, k: int, bounded: bool) -> int:
    """Return the number of tokens of `CounterGrid.down`."""
    return tokens_up(n, n - k, bounded)

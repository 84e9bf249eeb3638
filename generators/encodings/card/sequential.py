"""Sequential counter (Sinz, CP 2005): s[i, j] is implied if at least j of x[1..i] are true.

Only counters that matter are there, as in PySAT: k(n-k) fresh variables, and 2k(n-k) + n - 2k
clauses for at most k. For at least k the implications are turned around, 2k(n-k) + 2k - n clauses.
For exactly k both run over the same counters. At least one and at most n-1 are one clause. Where
the implications run one way only, the counters are not determined by x.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.patterns import stack
from boardsat.generators.encodings.card._grid import CounterGrid, tokens_down, tokens_up

KEEPS_COUNTS = False


def tokens(n: int, low: int, high: int) -> int:
    upper = tokens_up(n, high, True) if high < n - 1 else n + 1
    lower = tokens_down(n, low, True) if low > 1 else n + 1
    return upper * (high < n) + lower * (low > 0)


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    if 1 < low == high < len(x) - 1:
        grid = CounterGrid(x, low, fresh)
        return np.concatenate([grid.up(True), grid.down(True)]), grid.size
    upper, used = _at_most(x, high, fresh)
    lower, more = _at_least(x, low, fresh + used)
    return np.concatenate([upper, lower]), used + more


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

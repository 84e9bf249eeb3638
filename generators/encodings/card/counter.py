"""Sequential counter in both directions: s[i, j] is equivalent to "at least j of x[1..i] are true".

The variables of `sequential`, each determined by x: k(n-k) auxiliary variables, 4k(n-k) - k clauses
for at most k, 4k(n-k) - n + k for at least k, and 4k(n-k) for exactly k.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.encodings.card import sequential
from boardsat.generators.encodings.card.sequential import CounterGrid, tokens_down, tokens_up

COUNT_PRESERVING = True


def tokens(n: int, low: int, high: int) -> int:
    upper = tokens_down(n, high, False) if low < high < n - 1 else 0
    lower = tokens_up(n, low, False) if 1 < low < high else 0
    return sequential.tokens(n, low, high) + upper + lower


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    one_way, used = sequential.clauses(x, low, high, fresh)
    pieces, first = [one_way], fresh
    if low < high < len(x) - 1:
        grid = CounterGrid(x, high, first)
        pieces.append(grid.down(False))
        first += grid.size
    if 1 < low < high:
        pieces.append(CounterGrid(x, low, first).up(False))
    return np.concatenate(pieces), used

"""Pairwise: no two literals are true. n(n-1)/2 clauses, no auxiliary variables."""

from __future__ import annotations

import math

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, columns, stack

COUNT_PRESERVING = True


def tokens(n: int, low: int, high: int) -> int:
    return 3 * math.comb(n, 2)


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    first, second = np.triu_indices(len(x), 1)
    return stack(columns(-x[first], -x[second])), 0

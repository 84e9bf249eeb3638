"""Binomial: no high+1 of them true, no n-low+1 of them false. No fresh variables; for small bounds.

C(n, high+1) + C(n, low-1) clauses.
"""

from __future__ import annotations

import math
from itertools import chain, combinations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.patterns import stack

KEEPS_COUNTS = True


def tokens(n: int, low: int, high: int) -> int:
    upper = math.comb(n, high + 1) * (high + 2) if high < n else 0
    return upper + (math.comb(n, low - 1) * (n - low + 2) if low > 0 else 0)


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    parts = []
    if high < len(x):
        parts.append(stack(-x[_subsets(len(x), high + 1)]))
    if low > 0:
        parts.append(stack(x[_subsets(len(x), len(x) - low + 1)]))
    return np.concatenate(parts), 0


def _subsets(n: int, size: int) -> Ints:
    number = math.comb(n, size)
    flat = np.fromiter(chain.from_iterable(combinations(range(n), size)), np.int64, number * size)
    return flat.reshape(number, size)

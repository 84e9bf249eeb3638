"""Binomial: of any high+1 literals one is false, and of any n-low+1 one is true; for small bounds.

C(n, high+1) + C(n, low-1) clauses, no auxiliary variables.
"""

from __future__ import annotations

import math
from itertools import chain, combinations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, stack

COUNT_PRESERVING = True

HUGE = 2**62  # stands for all larger numbers, which take long to compute


def tokens(n: int, low: int, high: int) -> int:
    upper = _choices(n, high + 1) * (high + 2) if high < n else 0
    return upper + (_choices(n, low - 1) * (n - low + 2) if low > 0 else 0)


def _choices(n: int, k: int) -> int:
    return math.comb(n, k) if min(k, n - k) < 64 else HUGE


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    tables = []
    if high < len(x):
        tables.append(-x[_subsets(len(x), high + 1)])
    if low > 0:
        tables.append(x[_subsets(len(x), len(x) - low + 1)])
    return stack(*tables), 0


def _subsets(n: int, size: int) -> Ints:
    number = math.comb(n, size)
    flat = np.fromiter(chain.from_iterable(combinations(range(n), size)), np.int64, number * size)
    return flat.reshape(number, size)

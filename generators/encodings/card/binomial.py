"""Binomial: no high+1 of them true, no n-low+1 of them false. No fresh variables; for small bounds.

C(n, high+1) + C(n, low-1) clauses.
"""

from __future__ import annotations

import math
from itertools import chain, combinations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.patterns import stack
from boardsat.generators.limits import check_materialised

KEEPS_COUNTS = True


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    parts = []
    if high < len(x):
        parts.append(stack(-x[_subsets(len(x), high + 1)]))
    if low > 0:
        parts.append(stack(x[_subsets(len(x), len(x) - low + 1)]))
    return np.concatenate(parts), 0


def _subsets(n: int, size: int) -> Ints:
    number = math.comb(n, size)
    check_materialised(number * size, f"the {size}-element subsets of {n}", "")
    flat = np.fromiter(chain.from_iterable(combinations(range(n), size)), np.int64, number * size)
    return flat.reshape(number, size)

"""`random_subsets(n, k, m, seed)`: m distinct random subsets of k of n numbers, keyed by 0..m-1.

`v in T[c]` are the numbers of subset c, in ascending order.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import check_range
from boardsat.generators.language.values import KeyedSet
from boardsat.generators.randomness.samples import check_memory, check_subsets, distinct_subsets
from boardsat.generators.randomness.splitmix64 import Stream


def compute(n: int, k: int, m: int, seed: int) -> KeyedSet:
    check_subsets(n, k)
    check_range("m", m, 0)
    check_memory(m, k)
    rows = distinct_subsets(Stream(seed), n, k, m)
    return KeyedSet((m,), k * np.arange(m + 1), (rows.reshape(-1),))

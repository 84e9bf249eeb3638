"""`random_subsets(n, k, m, seed)`: m different subsets of k of n numbers, keyed by 0..m-1.

`v in T[c]` are the numbers of subset c, in ascending order.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.language.values import KeyedSet
from boardsat.generators.randomness.samples import check_memory, check_subsets, distinct_subsets
from boardsat.generators.randomness.splitmix64 import Stream


def compute(n: int, k: int, number: int, seed: int) -> KeyedSet:
    check_subsets(n, k)
    if number < 0:
        raise InputError(pluralize(number, "subset"), "give at least 0")
    check_memory(number, k)
    rows = distinct_subsets(Stream(seed), n, k, number)
    return KeyedSet((number,), k * np.arange(number + 1), (rows.reshape(-1),))

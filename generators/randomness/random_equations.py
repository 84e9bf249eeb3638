"""`random_equations(n, k, m, seed)`: m distinct random XOR equations of k of n variables.

`(v, sign) in E[c]` are literals of which an odd number is true: the variables of equation c in
ascending order, each with 1, except that the first has 0 if the sum of the variables is even.
`random_equations(n, k, m, seed, A)` draws only equations that the assignment A satisfies.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import check_range
from boardsat.generators.language.values import KeyedSet, Table
from boardsat.generators.randomness.samples import (
    check_memory,
    check_subsets,
    distinct_equations,
    distinct_subsets,
    hidden_bits,
)
from boardsat.generators.randomness.splitmix64 import Stream


def compute(n: int, k: int, m: int, seed: int, planted: Table | None = None) -> KeyedSet:
    check_subsets(n, k)
    check_range("k", k, 1)
    check_range("m", m, 0)
    check_memory(m, k + 1)
    if planted is None:
        rows = distinct_equations(Stream(seed), n, k, m)
        variables, sums = rows[:, :k], rows[:, k]
    else:
        variables = distinct_subsets(Stream(seed), n, k, m)
        sums = hidden_bits(planted, n)[variables].sum(axis=1) % 2
    signs = np.ones_like(variables)
    signs[:, 0] = sums
    return KeyedSet((m,), k * np.arange(m + 1), (variables.reshape(-1), signs.reshape(-1)))

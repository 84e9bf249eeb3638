"""`random_equations(n, k, m, seed)`: m different equations modulo 2 of k of n variables.

`(v, sign) in E[c]` are literals of which an odd number is true: the variables of equation c in
ascending order, each with 1, but for the first, which has 0 where the sum of all is 0.
`random_equations(n, k, m, seed, A)` takes only equations that the assignment A satisfies.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.language.values import KeyedSet, Table
from boardsat.generators.randomness.samples import (
    check_memory,
    check_subsets,
    distinct_equations,
    distinct_subsets,
    hidden_bits,
)
from boardsat.generators.randomness.splitmix64 import Stream


def compute(n: int, k: int, number: int, seed: int, planted: Table | None = None) -> KeyedSet:
    check_subsets(n, k)
    if number < 0 or k < 1:
        raise InputError(
            f"{pluralize(number, 'equation')} of {k}", "give at least 0, of at least 1"
        )
    check_memory(number, k + 1)
    if planted is None:
        rows = distinct_equations(Stream(seed), n, k, number)
        variables, sums = rows[:, :k], rows[:, k]
    else:
        variables = distinct_subsets(Stream(seed), n, k, number)
        sums = hidden_bits(planted, n)[variables].sum(axis=1) % 2
    signs = np.ones_like(variables)
    signs[:, 0] = sums
    return KeyedSet(
        (number,), k * np.arange(number + 1), (variables.reshape(-1), signs.reshape(-1))
    )

"""`random_clauses(n, k, m, seed)`: m distinct random clauses of k of n variables, keyed by 0..m-1.

`(v, sign) in F[c]` are the literals of clause c: its variables in ascending order, each with 1 for
a positive literal and 0 for a negative one. `random_clauses(n, k, m, seed, A)` draws only clauses
that the assignment A satisfies, a table with 0 or 1 for each variable.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import check_range
from boardsat.generators.language.values import KeyedSet, Table
from boardsat.generators.randomness.samples import (
    check_memory,
    check_subsets,
    distinct_clauses,
    hidden_bits,
)
from boardsat.generators.randomness.splitmix64 import Stream

MAX_LENGTH = 60  # the signs of a clause are bits of one word


def compute(n: int, k: int, m: int, seed: int, planted: Table | None = None) -> KeyedSet:
    check_subsets(n, k)
    check_range("k", k, 0, MAX_LENGTH)
    check_range("m", m, 0)
    check_memory(m, k + 1)
    hidden = None if planted is None else hidden_bits(planted, n)
    rows = distinct_clauses(Stream(seed), n, k, m, planted=hidden is not None)
    variables, signs = rows[:, :k], rows[:, k:] >> np.arange(k) & 1
    if hidden is not None:
        # A set bit means that the literal agrees with the assignment.
        signs = np.where(signs, hidden[variables], 1 - hidden[variables])
    return KeyedSet((m,), k * np.arange(m + 1), (variables.reshape(-1), signs.reshape(-1)))

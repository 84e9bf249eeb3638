"""`random_clauses(n, k, m, seed)`: m different clauses of k of n variables, keyed by 0..m-1.

`(v, sign) in F[c]` are the literals of clause c: its variables in ascending order, each with 1
for a positive literal and 0 for a negated one. `random_clauses(n, k, m, seed, A)` takes only
clauses that the assignment A satisfies, a table with 0 or 1 for each variable.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.language.values import KeyedSet, Table
from boardsat.generators.randomness.samples import (
    check_memory,
    check_subsets,
    distinct_clauses,
    hidden_bits,
)
from boardsat.generators.randomness.splitmix64 import Stream

LONGEST = 60
"""Variables of a clause: their signs are bits of one word."""


def compute(n: int, k: int, number: int, seed: int, planted: Table | None = None) -> KeyedSet:
    check_subsets(n, k)
    if number < 0 or k > LONGEST:
        raise InputError(
            f"{pluralize(number, 'clause')} of {k}", f"give at least 0, of at most {LONGEST}"
        )
    check_memory(number, k + 1)
    hidden = None if planted is None else hidden_bits(planted, n)
    rows = distinct_clauses(Stream(seed), n, k, number, planted=hidden is not None)
    variables, signs = rows[:, :k], rows[:, k:] >> np.arange(k) & 1
    if hidden is not None:
        # A bit that is set tells that the literal agrees with the assignment.
        signs = np.where(signs, hidden[variables], 1 - hidden[variables])
    return KeyedSet(
        (number,), k * np.arange(number + 1), (variables.reshape(-1), signs.reshape(-1))
    )

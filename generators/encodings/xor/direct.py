"""Direct: a clause for every assignment with the wrong parity. No auxiliary variables.

2^(n-1) clauses of n literals, for short constraints. Other encodings cut longer constraints into
short equations, which they encode directly.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, stack

COUNT_PRESERVING = True

MAX_TOKENS = 2**62  # stands for all larger numbers


def tokens(n: int, low: int, high: int) -> int:
    return tokens_of(n) if n < 50 else MAX_TOKENS


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    return odd(x[None, :]), 0


WIDTH = 4
"""Number of literals of the equations into which longer constraints are cut. Of all widths from 4
on, it needs the fewest clause literals for each input. Width 3 needs twice as many auxiliary
variables."""


def odd(rows: Ints) -> Tokens:
    """Return clauses of "an odd number of literals is true" for every row, positive signs first."""
    clauses = rows[:, None, :] * _signs(rows.shape[1])
    return stack(clauses.reshape(-1, rows.shape[1]))


@cache
def _signs(width: int) -> Ints:
    """Return all rows of signs with an even number of negations, which determines the last sign."""
    choices = np.arange(2 ** (width - 1))[:, None] >> np.arange(width - 2, -1, -1) & 1
    last = choices.sum(axis=1, keepdims=True) % 2
    return 1 - 2 * np.concatenate([choices, last], axis=1)


def tokens_of(width: int) -> int:
    """Return the number of tokens of an equation."""
    return (width + 1) << (width - 1)


def defining(rows: Ints, variables: Ints) -> Tokens:
    """Return clauses that define a variable for every row as the parity of its literals."""
    return odd(np.concatenate([rows, -variables[:, None]], axis=1))

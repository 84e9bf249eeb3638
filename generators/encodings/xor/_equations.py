"""Equations written out: for every row of slots, all clauses that leave an odd number of them true.

A clause forbids one choice of truth values with an even number of true ones. Equations with a fresh
variable define it: it is true if an odd number of the others are.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.patterns import stack

WIDTH = 4
"""Slots of an equation that is part of a longer one: of all widths from 4 on it has the fewest
literals for every slot, and half as many fresh variables as a width of 3."""


def odd(rows: Ints) -> Tokens:
    """Clauses in the order of their signs, positive before negative."""
    clauses = rows[:, None, :] * _signs(rows.shape[1])
    return stack(clauses.reshape(-1, rows.shape[1]))


@cache
def _signs(width: int) -> Ints:
    """All with an even number of negations: the last sign follows from those before it."""
    choices = np.arange(2 ** (width - 1))[:, None] >> np.arange(width - 2, -1, -1) & 1
    last = choices.sum(axis=1, keepdims=True) % 2
    return 1 - 2 * np.concatenate([choices, last], axis=1)


def tokens_of(width: int) -> int:
    """Those of one equation."""
    return (width + 1) << (width - 1)


def defining(slots: Ints, fresh: Ints) -> Tokens:
    """A fresh variable for every row of slots, true if an odd number of them is."""
    return odd(np.concatenate([slots, -fresh[:, None]], axis=1))

"""Direct: a clause for every choice of truth values with the wrong parity. No fresh variables.

2^(n-1) clauses of n literals, for short constraints. Longer ones are cut into short ones, which
other encodings write directly.
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
"""Slots of an equation that is part of a longer one: of all widths from 4 on it has the fewest
literals for every slot, and half as many fresh variables as a width of 3."""


def odd(rows: Ints) -> Tokens:
    """Return clauses that an odd number of slots of every row is true, positive signs first."""
    clauses = rows[:, None, :] * _signs(rows.shape[1])
    return stack(clauses.reshape(-1, rows.shape[1]))


@cache
def _signs(width: int) -> Ints:
    """Return all rows of signs with an even number of negations: the others determine the last."""
    choices = np.arange(2 ** (width - 1))[:, None] >> np.arange(width - 2, -1, -1) & 1
    last = choices.sum(axis=1, keepdims=True) % 2
    return 1 - 2 * np.concatenate([choices, last], axis=1)


def tokens_of(width: int) -> int:
    """Return the number of tokens of an equation."""
    return (width + 1) << (width - 1)


def defining(slots: Ints, fresh: Ints) -> Tokens:
    """Return clauses that define a fresh variable for every row as the parity of its slots."""
    return odd(np.concatenate([slots, -fresh[:, None]], axis=1))

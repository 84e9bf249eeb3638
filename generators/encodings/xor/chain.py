"""Chain: cut into equations of four slots, each with the sum so far, two more, and the new sum.

Every sum is equivalent to the parity of the first slots. About n/2 fresh variables, 4n clauses.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.encodings.xor.direct import WIDTH, defining, odd, tokens_of

COUNT_PRESERVING = True

MORE = WIDTH - 2
"""Slots that a sum adds to the one before it."""


def tokens(n: int, low: int, high: int) -> int:
    sums = _sums(n)
    return sums * tokens_of(WIDTH) + tokens_of(n - MORE * sums)


def _sums(n: int) -> int:
    """As few as leave no more than an equation has."""
    return max(0, -((WIDTH - n) // MORE))


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    sums = _sums(len(x))
    if not sums:
        return odd(x[None, :]), 0
    made = fresh + np.arange(sums)
    before = np.concatenate([x[:1], made[:-1]])
    added = x[1 : 1 + MORE * sums].reshape(sums, MORE)
    last = np.concatenate([made[-1:], x[1 + MORE * sums :]])
    parts = defining(np.concatenate([before[:, None], added], axis=1), made), odd(last[None, :])
    return np.concatenate(parts), sums

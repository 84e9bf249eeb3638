"""Chain: equations of four literals, each with a partial sum, two inputs, and the next partial sum.

Every partial sum is equivalent to the parity of the first inputs. About n/2 auxiliary variables and
4n clauses.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.encodings.xor.direct import WIDTH, defining, odd, tokens_of

COUNT_PRESERVING = True

INPUTS_PER_SUM = WIDTH - 2
"""Inputs that a partial sum adds to the one before it."""


def tokens(n: int, low: int, high: int) -> int:
    sums = _sums(n)
    return sums * tokens_of(WIDTH) + tokens_of(n - INPUTS_PER_SUM * sums)


def _sums(n: int) -> int:
    """Return the minimum number of partial sums."""
    return max(0, -((WIDTH - n) // INPUTS_PER_SUM))


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    num_sums = _sums(len(x))
    if not num_sums:
        return odd(x[None, :]), 0
    sums = fresh + np.arange(num_sums)
    previous = np.concatenate([x[:1], sums[:-1]])
    num_added = INPUTS_PER_SUM * num_sums
    added = x[1 : 1 + num_added].reshape(num_sums, INPUTS_PER_SUM)
    last = np.concatenate([sums[-1:], x[1 + num_added :]])
    definitions = defining(np.concatenate([previous[:, None], added], axis=1), sums)
    return np.concatenate([definitions, odd(last[None, :])]), num_sums

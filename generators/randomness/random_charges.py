"""`random_charges(n, odd, seed)`: table of n random bits whose sum is odd (1) or even (0).

The last bit is determined by the others.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.language.values import Table
from boardsat.generators.randomness.samples import NUMBER_BYTES
from boardsat.generators.randomness.splitmix64 import Stream


def compute(n: int, odd: int, seed: int) -> Table:
    check_range("odd", odd, 0, 1)
    check_range("n", n, odd, context="for an odd sum" if odd else "")
    checkpoint(NUMBER_BYTES * n)
    if not n:
        return Table(np.zeros(0, np.int64))
    bits = Stream(seed).below(2, n - 1)
    return Table(np.append(bits, (int(bits.sum()) + odd) % 2))

"""`random_charges(n, odd, seed)`: a table of n bits, with an odd sum for 1, an even one for 0.

The bits are random numbers below 2, but for the last one, which follows from them.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.language.values import Table
from boardsat.generators.randomness.samples import NUMBER_BYTES
from boardsat.generators.randomness.splitmix64 import Stream


def compute(number: int, odd: int, seed: int) -> Table:
    if number < 0 or odd not in (0, 1) or (odd and not number):
        raise InputError(
            f"{pluralize(number, 'bit')} with the parity {odd}", "give 0 or 1, and enough bits"
        )
    checkpoint(NUMBER_BYTES * number)
    if not number:
        return Table(np.zeros(0, np.int64))
    bits = Stream(seed).below(2, number - 1)
    return Table(np.append(bits, (int(bits.sum()) + odd) % 2))

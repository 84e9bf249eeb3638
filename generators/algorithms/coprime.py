"""`coprime(n)`: coprime numbers with a product of at least n and the least sum.

What is left of a number below n when it is divided by each of them tells which number it is. One of
them is even: it carries the colour on boards of two colours.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.language.values import TupleSet

Choice = tuple[int, tuple[int, ...]]
"""A product, and the numbers that it is made of."""

LARGEST_PRODUCT = 2**24

LARGEST_SUM = 100
"""The primes up to 23 have this sum, and a product beyond the largest board."""


def compute(board: Board, least: int) -> TupleSet:
    checkpoint()
    if not 0 <= least <= LARGEST_PRODUCT:
        raise InputError(f"a product of {least}", f"ask for 0 to {LARGEST_PRODUCT}")
    chosen = min((chosen for product, chosen in _best() if product >= least), key=sum)
    return TupleSet((np.array(sorted(chosen), np.int64),))


def _best() -> list[Choice]:
    """For every sum the largest product of powers of different primes, one of them even."""
    best: dict[int, Choice] = {2**k: (2**k, (2**k,)) for k in range(1, LARGEST_SUM.bit_length())}
    for prime in (3, 5, 7, 11, 13, 17, 19, 23):
        before = dict(best)
        power = prime
        while power <= LARGEST_SUM:
            for total, (product, chosen) in before.items():
                longer = (product * power, (*chosen, power))
                if total + power <= LARGEST_SUM:
                    best[total + power] = max(best.get(total + power, longer), longer)
            power *= prime
    return list(best.values())

"""`coprime(n)`: pairwise coprime numbers with a product of at least n and minimum sum.

By the Chinese remainder theorem a number below n is determined by its residues. One of the numbers
is even: on bipartite boards its residue determines the colour.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.language.values import TupleSet

MAX_PRODUCT = 2**24
MAX_SUM = 100  # the sum of the primes to 23, whose product exceeds MAX_PRODUCT
ODD_PRIMES = (3, 5, 7, 11, 13, 17, 19, 23)

Moduli = tuple[int, tuple[int, ...]]
"""Product, and its factors."""


def compute(board: Board, n: int) -> TupleSet:
    checkpoint()
    check_range("n", n, 0, MAX_PRODUCT)
    moduli = min((factors for product, factors in _largest_products() if product >= n), key=sum)
    return TupleSet((np.array(sorted(moduli), np.int64),))


def _largest_products() -> list[Moduli]:
    """Return the largest product for each sum of powers of distinct primes, one of them even."""
    best: dict[int, Moduli] = {2**k: (2**k, (2**k,)) for k in range(1, MAX_SUM.bit_length())}
    for prime in ODD_PRIMES:
        without_prime = dict(best)
        power = prime
        while power <= MAX_SUM:
            for total, (product, factors) in without_prime.items():
                extended = (product * power, (*factors, power))
                if total + power <= MAX_SUM:
                    best[total + power] = max(best.get(total + power, extended), extended)
            power *= prime
    return list(best.values())

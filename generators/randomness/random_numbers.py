"""`random_numbers(n, b, seed)`: table of n random numbers from 0 to b - 1."""

from __future__ import annotations

from boardsat.base.errors import check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.language.values import Table
from boardsat.generators.randomness.samples import NUMBER_BYTES
from boardsat.generators.randomness.splitmix64 import Stream


def compute(n: int, bound: int, seed: int) -> Table:
    check_range("n", n, 0)
    check_range("b", bound, 1)
    checkpoint(NUMBER_BYTES * n)
    return Table(Stream(seed).below(bound, n))

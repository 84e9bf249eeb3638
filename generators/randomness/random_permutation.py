"""`random_permutation(n, seed)`: table of the numbers 0 to n - 1 in random order."""

from __future__ import annotations

from boardsat.base.errors import check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.language.values import Table
from boardsat.generators.randomness.samples import NUMBER_BYTES
from boardsat.generators.randomness.splitmix64 import Stream


def compute(n: int, seed: int) -> Table:
    check_range("n", n, 0)
    checkpoint(2 * NUMBER_BYTES * n)
    return Table(Stream(seed).order(n))

"""`random_permutation(n, seed)`: a table of the numbers 0 to n - 1 in a random order."""

from __future__ import annotations

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.language.values import Table
from boardsat.generators.randomness.samples import NUMBER_BYTES
from boardsat.generators.randomness.splitmix64 import Stream


def compute(number: int, seed: int) -> Table:
    if number < 0:
        raise InputError(f"a permutation of {pluralize(number, 'number')}", "give at least 0")
    checkpoint(2 * NUMBER_BYTES * number)
    return Table(Stream(seed).order(number))

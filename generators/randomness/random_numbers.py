"""`random_numbers(n, b, seed)`: a table of n numbers, each from 0 to b - 1."""

from __future__ import annotations

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.language.values import Table
from boardsat.generators.randomness.samples import NUMBER_BYTES
from boardsat.generators.randomness.splitmix64 import Stream


def compute(number: int, limit: int, seed: int) -> Table:
    if number < 0 or limit < 1:
        raise InputError(
            f"{pluralize(number, 'number')} below {limit}", "give at least 0, and at least 1"
        )
    checkpoint(NUMBER_BYTES * number)
    return Table(Stream(seed).below(limit, number))

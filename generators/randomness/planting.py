"""An assignment that random clauses or equations shall satisfy: the table that a spec gives."""

from __future__ import annotations

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints
from boardsat.generators.language.values import Table


def hidden_bits(planted: Table, n: int) -> Ints:
    """A bit for each of n variables."""
    if not isinstance(planted, Table):
        raise InputError("an assignment that is no table", "name a table of 0 and 1")
    bits = planted.values
    if bits.shape != (n,):
        fault = f"an assignment of {pluralize(bits.size, 'number')} to {pluralize(n, 'variable')}"
        raise InputError(fault, "give one for each")
    if len(bits) and not 0 <= bits.min() <= bits.max() <= 1:
        raise InputError("an assignment of other numbers than 0 and 1", "give 0 or 1 for each")
    return bits

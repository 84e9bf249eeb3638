"""Binary: the bits of the value, the lowest first.

log2(size) literals, rounded up, and a clause for every 0 of size - 1 below its highest 1. Literals
of "equal to k" and "at least k" are defined by the bits if a constraint uses them.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import TRUE, Ints, Tokens, columns, stack
from boardsat.generators.encodings.int import Defined

COUNT_PRESERVING = True
WEIGHTS = 2 ** np.arange(31)


def width(size: int) -> int:
    return (size - 1).bit_length()


def clauses(x: Ints, size: int, fresh: int) -> tuple[Tokens, int]:
    """Return clauses that exclude values from `size` on.

    For each 0 of the largest value, the integer has a 0 there, or it has a 0 at a higher bit where
    the largest value has a 1.
    """
    rows, higher_bits = [stack()], list[int]()
    for index in reversed(range(len(x))):
        if size - 1 >> index & 1:
            higher_bits.append(-int(x[index]))
        else:
            rows.append(stack(np.array([[*higher_bits, -int(x[index])]])))
    return np.concatenate(rows), 0


def at_least(x: Ints, size: int, fresh: int) -> Defined:
    """Return the literals of "at least k", bit by bit from the lowest one on.

    With a bit of value 2^b added, "at least k" is defined as "the bit is set, or the lower bits are
    at least k" for k < 2^b, and as "the bit is set, and the lower bits are at least k - 2^b" for
    larger k.
    """
    reached, pieces, first = x[:0], [stack()], fresh
    for index, bit in enumerate(x.tolist()):
        num_small = len(reached)
        num_large = num_small if index < len(x) - 1 else size - 2 - num_small
        small, large = first + np.arange(num_small), first + num_small + np.arange(num_large)
        first += num_small + num_large
        either = columns(-small, bit, reached), columns(small, -bit), columns(small, -reached)
        lower = reached[:num_large]
        conjunction = columns(large, -bit, -lower), columns(-large, bit), columns(-large, lower)
        pieces.append(stack(*either, *conjunction))
        reached = np.concatenate([small, [bit], large])
    return Defined(reached, np.concatenate(pieces), first - fresh)


def equal(x: Ints, size: int, fresh: int) -> Defined:
    if len(x) < 2:
        return Defined(np.array([[TRUE], [-1, 1]][len(x)]) * (x[0] if len(x) else 1), stack(), 0)
    signs = np.where(np.arange(size)[:, None] >> np.arange(len(x)) & 1, 1, -1)
    bits = signs * x
    y = fresh + np.arange(size)
    implied_bits = [columns(-y, column) for column in bits.T]
    return Defined(y, stack(*implied_bits, np.column_stack([y, -bits])), size)

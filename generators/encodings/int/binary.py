"""Binary: the bits of k, the lowest first.

log2(size) literals, rounded up, and a clause for every 0 of size - 1 below its highest 1. A literal
for "k" or for "k or more" is defined by its bits, if a constraint asks for it.
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
    """No more than the largest value: where that has a 0, so has k, or it has another above."""
    parts, above = [stack()], list[int]()
    for place in reversed(range(len(x))):
        if size - 1 >> place & 1:
            above.append(-int(x[place]))
        else:
            parts.append(stack(np.array([[*above, -int(x[place])]])))
    return np.concatenate(parts), 0


def at_least(x: Ints, size: int, fresh: int) -> Defined:
    """Of one bit more: up to its value that bit or what was so before; beyond, that bit and it."""
    reached, parts, first = x[:0], [stack()], fresh
    for place, bit in enumerate(x.tolist()):
        below = len(reached)
        beyond = below if place < len(x) - 1 else size - 2 - below
        lower, upper = first + np.arange(below), first + below + np.arange(beyond)
        first += below + beyond
        either = columns(-lower, bit, reached), columns(lower, -bit), columns(lower, -reached)
        less = reached[:beyond]
        both = columns(upper, -bit, -less), columns(-upper, bit), columns(-upper, less)
        parts.append(stack(*either, *both))
        reached = np.concatenate([lower, [bit], upper])
    return Defined(reached, np.concatenate(parts), first - fresh)


def equal(x: Ints, size: int, fresh: int) -> Defined:
    if len(x) < 2:
        return Defined(np.array([[TRUE], [-1, 1]][len(x)]) * (x[0] if len(x) else 1), stack(), 0)
    signs = np.where(np.arange(size)[:, None] >> np.arange(len(x)) & 1, 1, -1)
    bits = signs * x
    y = fresh + np.arange(size)
    parts = [columns(-y, bits[:, place]) for place in range(len(x))]
    return Defined(y, stack(*parts, np.column_stack([y, -bits])), size)

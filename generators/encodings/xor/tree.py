"""Tree: three literals at a time are replaced by their sum, level by level, until four are left.

Every sum is equivalent to the parity of the literals below it. About n/2 auxiliary variables and 4n
clauses as for a chain, but the path from an input to the root has only log(n) sums.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.encodings.xor.direct import WIDTH, defining, odd, tokens_of

COUNT_PRESERVING = True

ARITY = WIDTH - 1
"""Literals of a sum."""


def tokens(n: int, low: int, high: int) -> int:
    total = 0
    while n > WIDTH:
        total += n // ARITY * tokens_of(WIDTH)
        n = n // ARITY + n % ARITY
    return total + tokens_of(n)


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    pieces, first = [], fresh
    while len(x) > WIDTH:
        nodes = len(x) // ARITY
        sums = first + np.arange(nodes)
        pieces.append(defining(x[: nodes * ARITY].reshape(nodes, ARITY), sums))
        x = np.concatenate([sums, x[nodes * ARITY :]])
        first += nodes
    return np.concatenate([*pieces, odd(x[None, :])]), first - fresh

"""Tree: three slots at a time are replaced by their sum, level by level, until four are left.

Every sum is equivalent to the parity of the slots below it. As many fresh variables and clauses as
a chain, about n/2 and 4n, but the way from a slot to the root is log(n) sums long.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.encodings.xor.direct import WIDTH, defining, odd, tokens_of

COUNT_PRESERVING = True

BELOW = WIDTH - 1
"""Slots below a sum."""


def tokens(n: int, low: int, high: int) -> int:
    total = 0
    while n > WIDTH:
        total += n // BELOW * tokens_of(WIDTH)
        n = n // BELOW + n % BELOW
    return total + tokens_of(n)


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    parts, first = [], fresh
    while len(x) > WIDTH:
        nodes = len(x) // BELOW
        sums = first + np.arange(nodes)
        parts.append(defining(x[: nodes * BELOW].reshape(nodes, BELOW), sums))
        x = np.concatenate([sums, x[nodes * BELOW :]])
        first += nodes
    return np.concatenate([*parts, odd(x[None, :])]), first - fresh

"""Bimander (Nguyen and Mai 2015): groups of two, numbered in binary by auxiliary variables.

n/2 + n log2(n/2) clauses, log2(n/2) auxiliary variables, which are free if none of x is true.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, columns, stack
from boardsat.generators.encodings.amo import pairwise

COUNT_PRESERVING = False

GROUP = 2


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    if len(x) <= GROUP + 1:
        return pairwise.clauses(x, fresh)
    group = np.arange(len(x)) // GROUP
    bits = int(group[-1]).bit_length()
    bit = np.arange(bits)
    number = np.where((group[:, None] >> bit) & 1, fresh + bit, -(fresh + bit))
    paired = x[: len(x) // GROUP * GROUP].reshape(-1, GROUP)
    return stack(columns(-paired[:, 0], -paired[:, 1]), columns(-x[:, None], number)), bits

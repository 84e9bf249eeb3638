"""Pairwise: no two of them. n(n-1)/2 clauses, no fresh variables."""

from __future__ import annotations

import numpy as np

from generators.arrays import Ints, Tokens
from generators.patterns import columns, stack

KEEPS_COUNTS = True


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    first, second = np.triu_indices(len(x), 1)
    return stack(columns(-x[first], -x[second])), 0

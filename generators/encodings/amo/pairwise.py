"""Pairwise: no two of them. n(n-1)/2 clauses, no fresh variables."""

from __future__ import annotations

import math

import numpy as np

from generators.arrays import Ints, Tokens
from generators.limits import check_materialised
from generators.patterns import columns, stack

KEEPS_COUNTS = True


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    check_materialised(3 * math.comb(len(x), 2), f"the pairs of {len(x):,}", "")
    first, second = np.triu_indices(len(x), 1)
    return stack(columns(-x[first], -x[second])), 0

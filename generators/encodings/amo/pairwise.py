"""Pairwise: no two of them. n(n-1)/2 clauses, no auxiliary variables."""

from __future__ import annotations

import math

import numpy as np

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.patterns import columns, stack
from boardsat.generators.limits import check_materialised

KEEPS_COUNTS = True


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    check_materialised(3 * math.comb(len(x), 2), f"the pairs of {len(x):,}", "")
    first, second = np.triu_indices(len(x), 1)
    return stack(columns(-x[first], -x[second])), 0

"""Product (Chen 2010): x laid out on a grid, at most one row and at most one column in use.

About 2n + 4 sqrt(n) clauses and 2 sqrt(n) fresh variables. A row may be marked with no x in it.
"""

from __future__ import annotations

import math

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, columns, stack
from boardsat.generators.encodings.amo import pairwise

COUNT_PRESERVING = False

SMALL = 4
"""Up to here pairwise has no more clauses, and no fresh variables."""


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    if len(x) <= SMALL:
        return pairwise.clauses(x, fresh)
    width = math.isqrt(len(x) - 1) + 1
    height = -(-len(x) // width)
    row = fresh + np.arange(height)
    column = fresh + height + np.arange(width)
    k = np.arange(len(x))
    links = stack(columns(-x, row[k // width]), columns(-x, column[k % width]))
    used = height + width
    rows, more = clauses(row, fresh + used)
    used += more
    across, more = clauses(column, fresh + used)
    return np.concatenate([links, rows, across]), used + more

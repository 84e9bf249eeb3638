"""Product (Chen 2010): x is laid out on a grid, with at most one row and one column in use.

About 2n + 4 sqrt(n) clauses and 2 sqrt(n) auxiliary variables. A row or column in use may have no
true x.
"""

from __future__ import annotations

import math

import numpy as np

from boardsat.generators.arrays import Ints, Tokens, columns, stack
from boardsat.generators.encodings.amo import pairwise

COUNT_PRESERVING = False

MAX_PAIRWISE_SIZE = 4
"""Size up to which pairwise has no more clauses, and no auxiliary variables."""


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    if len(x) <= MAX_PAIRWISE_SIZE:
        return pairwise.clauses(x, fresh)
    width = math.isqrt(len(x) - 1) + 1
    height = -(-len(x) // width)
    row = fresh + np.arange(height)
    column = fresh + height + np.arange(width)
    k = np.arange(len(x))
    links = stack(columns(-x, row[k // width]), columns(-x, column[k % width]))
    used = height + width
    rows, used_by_rows = clauses(row, fresh + used)
    used += used_by_rows
    across, used_by_columns = clauses(column, fresh + used)
    return np.concatenate([links, rows, across]), used + used_by_columns

"""Totalizer (Bailleux and Boufkhad, CP 2003): a tree that adds unary numbers, both ways.

Output r[j] of a node is equivalent to "at least j of its inputs", up to the bound that matters, so
every fresh variable is determined by x. O(n log n) variables, O(n * high) clauses a level.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens
from boardsat.generators.clauses.patterns import columns, stack
from boardsat.generators.limits import check_materialised
from boardsat.generators.ragged import clean

KEEPS_COUNTS = True


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    enough = high + 1 if high < len(x) else low
    # A node of the tree takes as long as hundreds of its clauses, however small it is.
    check_materialised(4 * len(x) * max(enough, 64), "a totalizer", "")
    parts: list[Tokens] = []
    used = 0
    level = [x[k : k + 1] for k in range(len(x))]
    while len(level) > 1:
        above = []
        for left, right in zip(level[::2], level[1::2], strict=False):
            size = min(len(left) + len(right), enough)
            total = fresh + used + np.arange(size)
            used += size
            parts.append(_add(left, right, total))
            above.append(total)
        level = above + level[len(level) - len(level) % 2 :]
    (total,) = level
    if low > 0:
        parts.append(stack(columns(total[low - 1 : low])))
    if high < len(x):
        parts.append(stack(columns(-total[high : high + 1])))
    return np.concatenate(parts), used


def _add(left: Ints, right: Ints, total: Ints) -> Tokens:
    """total counts the true ones of left and right together, all three unary and falling."""
    # At least none is true, more than all is false: the borders fall away with `clean`.
    a, b = (np.concatenate([[TRUE], side, [FALSE]]) for side in (left, right))
    i, j = np.indices((len(left) + 1, len(right) + 1)).reshape(2, -1)
    reached = np.concatenate([[TRUE], total])[np.minimum(i + j, len(total))]
    up = columns(-a[i], -b[j], reached)
    i, j = i[i + j < len(total)], j[i + j < len(total)]
    down = columns(a[i + 1], b[j + 1], -total[i + j])
    return clean(stack(up, down))

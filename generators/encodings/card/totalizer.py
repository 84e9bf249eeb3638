"""Totalizer (Bailleux and Boufkhad, CP 2003): a tree that adds unary numbers, both ways.

Output r[j] of a node is equivalent to "at least j of its inputs", up to the bound that matters, so
every fresh variable is determined by x. O(n log n) variables, O(n * high) clauses a level.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens
from boardsat.generators.clauses.patterns import Pattern, columns, stack
from boardsat.generators.ragged import clean

KEEPS_COUNTS = True

SMALL = 2**10
"""Adders up to this product of their inputs are kept: every tree has the same few."""


def tokens(n: int, low: int, high: int) -> int:
    enough = high + 1 if high < n else low
    # Small nodes take as long as hundreds of clauses.
    return 4 * n * (max(enough, 8) + n.bit_length())


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    enough = high + 1 if high < len(x) else low
    parts: list[Tokens] = []
    used = 0
    level = [x[k : k + 1] for k in range(len(x))]
    while len(level) > 1:
        above: list[Ints] = []
        pairs = zip(level[::2], level[1::2], strict=False)
        # Nearly all nodes of a level are alike: they are made at once.
        for (left, right), alike in groupby(pairs, key=lambda pair: (len(pair[0]), len(pair[1]))):
            nodes = np.array([np.concatenate(pair) for pair in alike])
            size = min(left + right, enough)
            first = fresh + used + size * np.arange(len(nodes))
            used += size * len(nodes)
            parts.append(_adder(left, right, size).instantiate(nodes, first))
            above.extend(first[:, None] + np.arange(size))
        level = above + level[len(level) - len(level) % 2 :]
    (total,) = level
    if low > 0:
        parts.append(stack(columns(total[low - 1 : low])))
    if high < len(x):
        parts.append(stack(columns(-total[high : high + 1])))
    return np.concatenate(parts), used


def _adder(left: int, right: int, size: int) -> Pattern:
    return (_kept if left * right <= SMALL else _made)(left, right, size)


def _made(left: int, right: int, size: int) -> Pattern:
    """The outputs count the true inputs, left and right, up to so many; all three fall."""
    total = 1 + left + right + np.arange(size)
    # At least none is true, more than all is false: the borders fall away with `clean`.
    a = np.concatenate([[TRUE], 1 + np.arange(left), [FALSE]])
    b = np.concatenate([[TRUE], 1 + left + np.arange(right), [FALSE]])
    i, j = np.indices((left + 1, right + 1)).reshape(2, -1)
    reached = np.concatenate([[TRUE], total])[np.minimum(i + j, size)]
    up = columns(-a[i], -b[j], reached)
    i, j = i[i + j < size], j[i + j < size]
    down = columns(a[i + 1], b[j + 1], -total[i + j])
    return Pattern(left + right, size, clean(stack(up, down)))


_kept = lru_cache(maxsize=512)(_made)

"""Totalizer (Bailleux and Boufkhad, CP 2003): a tree that adds unary numbers, both ways.

Output r[j] of a node is equivalent to "at least j of its inputs", up to the bound that matters, so
every fresh variable is determined by x. O(n log n) variables, O(n * high) clauses a level.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Ints, Pattern, Tokens, clean, columns, stack

COUNT_PRESERVING = True

SMALL = 2**10
"""Adders up to this product of their inputs are kept: every tree has the same few."""


def tokens(n: int, low: int, high: int) -> int:
    enough = high + 1 if high < n else low
    total = sum(count * _tokens(*node) for count, *node in _tree(n, enough))
    return total + 2 * (low > 0) + 2 * (high < n)


def _tree(n: int, enough: int) -> Iterator[tuple[int, int, int, int]]:
    """Level by level how many nodes there are, and the inputs left and right, and outputs, of each.

    All nodes of a level are alike but for the last, where their number is odd.
    """
    nodes, size, last = n, 1, 0
    while nodes + (last > 0) > 1:
        if nodes > 1:
            yield nodes // 2, size, size, min(2 * size, enough)
        if nodes % 2 and last:
            yield 1, size, last, min(size + last, enough)
            last = min(size + last, enough)
        elif nodes % 2:
            last = size
        nodes, size = nodes // 2, min(2 * size, enough)


def _tokens(left: int, right: int, size: int) -> int:
    """Those of an adder: for every pair of numbers that its inputs reach, then that they do not."""
    pairs = (left + 1) * (right + 1) - 1
    up = 2 * pairs + left * (right + 1) + right * (left + 1)
    more_left = np.clip(size - np.arange(left + 1), 0, right + 1)
    more_right = np.clip(size - np.arange(right), 0, left + 1)
    down = 2 * more_left.sum() + more_left[:-1].sum() + more_right.sum()
    return up + int(down)


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    enough = high + 1 if high < len(x) else low
    parts: list[Tokens] = []
    first = fresh
    level, last = x[:, None], x[:0]
    while len(level) + (len(last) > 0) > 1:
        single = level[-1] if len(level) % 2 else x[:0]
        pairs = level[: len(level) - len(level) % 2].reshape(-1, 2 * level.shape[1])
        left = level.shape[1]
        made, level = _sums(pairs, left, enough, first)
        parts.append(made)
        first += level.size
        if len(single) and len(last):
            made, (last,) = _sums(np.concatenate([single, last])[None, :], left, enough, first)
            parts.append(made)
            first += len(last)
        elif len(single):
            last = single
    total = level[0] if len(level) else last
    if low > 0:
        parts.append(stack(columns(total[low - 1 : low])))
    if high < len(x):
        parts.append(stack(columns(-total[high : high + 1])))
    return np.concatenate(parts), first - fresh


def _sums(nodes: Ints, left: int, enough: int, first: int) -> tuple[Tokens, Ints]:
    """The clauses of some nodes that are alike, a row of inputs for each, and their outputs."""
    size = min(nodes.shape[1], enough)
    outputs = first + np.arange(len(nodes) * size).reshape(-1, size)
    adder = _adder(left, nodes.shape[1] - left, size)
    return adder.instantiate(nodes, outputs[:, 0]), outputs


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

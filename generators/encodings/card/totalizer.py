"""Totalizer (Bailleux and Boufkhad, CP 2003): a tree of adders of unary numbers.

Output r[j] of a node is equivalent to "at least j of its inputs are true", for j up to the bound
that matters, so x determines every auxiliary variable. O(n log n) variables, O(n * high) clauses on
each level.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Ints, Pattern, Tokens, clean, columns, stack

COUNT_PRESERVING = True

MAX_CACHED_ADDER = 2**10
"""Maximum product of the two input sizes of adders that are cached for other trees."""


def tokens(n: int, low: int, high: int) -> int:
    enough = high + 1 if high < n else low
    total = sum(count * _tokens(*node) for count, *node in _tree(n, enough))
    return total + 2 * (low > 0) + 2 * (high < n)


def _tree(n: int, enough: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the number of equal nodes, and the sizes of their left inputs, right inputs, outputs.

    Each level has one entry, and another one if its last node differs from the others.
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


def _tokens(a: int, b: int, size: int) -> int:
    """Return the number of tokens of an adder of a and b inputs, in either direction."""
    pairs = (a + 1) * (b + 1) - 1
    up = 2 * pairs + a * (b + 1) + b * (a + 1)
    row_sizes = np.clip(size - np.arange(a + 1), 0, b + 1)
    column_sizes = np.clip(size - np.arange(b), 0, a + 1)
    down = 2 * row_sizes.sum() + row_sizes[:-1].sum() + column_sizes.sum()
    return up + int(down)


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    enough = high + 1 if high < len(x) else low
    pieces: list[Tokens] = []
    first = fresh
    level, last = x[:, None], x[:0]
    while len(level) + (len(last) > 0) > 1:
        single = level[-1] if len(level) % 2 else x[:0]
        pairs = level[: len(level) - len(level) % 2].reshape(-1, 2 * level.shape[1])
        width = level.shape[1]
        adders, level = _sums(pairs, width, enough, first)
        pieces.append(adders)
        first += level.size
        if len(single) and len(last):
            inputs = np.concatenate([single, last])[None, :]
            adders, (last,) = _sums(inputs, width, enough, first)
            pieces.append(adders)
            first += len(last)
        elif len(single):
            last = single
    total = level[0] if len(level) else last
    if low > 0:
        pieces.append(stack(columns(total[low - 1 : low])))
    if high < len(x):
        pieces.append(stack(columns(-total[high : high + 1])))
    return np.concatenate(pieces), first - fresh


def _sums(nodes: Ints, num_first: int, enough: int, first: int) -> tuple[Tokens, Ints]:
    """Return the clauses of equal nodes, and the outputs of each node.

    A row of `nodes` has the inputs of one node. The first `num_first` inputs are one unary number,
    the others are the second one.
    """
    size = min(nodes.shape[1], enough)
    outputs = first + np.arange(len(nodes) * size).reshape(-1, size)
    num_second = nodes.shape[1] - num_first
    make = _cached_adder if num_first * num_second <= MAX_CACHED_ADDER else _adder
    return make(num_first, num_second, size).instantiate(nodes, outputs[:, 0]), outputs


def _adder(num_first: int, num_second: int, size: int) -> Pattern:
    """Return the pattern of an adder of two unary numbers, whose sum is capped at `size`."""
    total = 1 + num_first + num_second + np.arange(size)
    # "At least 0" is true, "at least one more than all" is false; `clean` removes both.
    a = np.concatenate([[TRUE], 1 + np.arange(num_first), [FALSE]])
    b = np.concatenate([[TRUE], 1 + num_first + np.arange(num_second), [FALSE]])
    i, j = np.indices((num_first + 1, num_second + 1)).reshape(2, -1)
    reached = np.concatenate([[TRUE], total])[np.minimum(i + j, size)]
    up = columns(-a[i], -b[j], reached)
    i, j = i[i + j < size], j[i + j < size]
    down = columns(a[i + 1], b[j + 1], -total[i + j])
    return Pattern(num_first + num_second, size, clean(stack(up, down)))


_cached_adder = lru_cache(maxsize=512)(_adder)

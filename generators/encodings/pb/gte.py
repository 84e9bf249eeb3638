"""Generalised totalizer (Joshi, Martins and Manquinho, CP 2015): a tree that adds sorted numbers.

An output of a node is equivalent to "at least s", for every sum s that its inputs can have, up to
the bound that matters. The two numbers at the root need no outputs: of each pair of their values
that is out of bounds, one is forbidden. A chain of inputs is a sorted number already.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Bools, Ints, Tokens, clean, columns, stack
from boardsat.generators.encodings import Weights
from boardsat.generators.encodings.pb import HUGE, MOST

COUNT_PRESERVING = True

Number = tuple[Ints, Ints]
"""What a number can be, 0 first, and for each the literal that it is at least that."""


NOTHING = np.zeros(1, np.int64), np.array([TRUE])


def tokens(weights: Weights, low: int, high: int, most: int = MOST) -> int:
    made = _made(weights, low, high, most)
    return len(made[0]) if made else HUGE


def clauses(x: Ints, weights: Weights, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    made = _made(weights, low, high, MOST)
    assert made and (x[0], fresh) == (1, len(x) + 1)
    return made


@lru_cache(maxsize=4)
def _made(weights: Weights, low: int, high: int, most: int) -> tuple[Tokens, int] | None:
    """The clauses over slots from 1 on; none where they are more than `most` tokens, about."""
    total = sum(weights.each)
    enough = high + 1 if high < total else low
    first = fresh = len(weights.each) + 1
    parts: list[Tokens] = []
    room = most
    numbers = [(len(number[0]), place, number) for place, number in enumerate(_leaves(weights))]
    heapq.heapify(numbers)
    # The two shortest are added first: so the tree is balanced, and long chains come in late.
    while len(numbers) > 2:
        (_, _, a), (_, place, b) = heapq.heappop(numbers), heapq.heappop(numbers)
        room -= 8 * len(a[0]) * len(b[0])
        if room < 0:
            return None
        made, number = _sum(a, b, enough, first)
        parts.append(made)
        first += len(number[0]) - 1
        heapq.heappush(numbers, (len(number[0]), place, number))
    (_, _, a), (_, _, b) = numbers if len(numbers) > 1 else [*numbers, (1, 1, NOTHING)]
    if high < total:
        parts.append(_not_above(a, b, high))
    if low > 0:
        parts.append(_not_below(a, b, low))
    return clean(np.concatenate(parts)), first - fresh


def _leaves(weights: Weights) -> Iterator[Number]:
    start = 0
    for length in weights.chains:
        sums = accumulate(weights.each[start : start + length], initial=0)
        yield np.array([*sums]), np.concatenate([[TRUE], start + 1 + np.arange(length)])
        start += length


def _sum(a: Number, b: Number, enough: int, first: int) -> tuple[Tokens, Number]:
    """The clauses of a node, and its number, whose literals count from `first` on."""
    pairs = a[0][:, None] + b[0]
    sums = np.unique(np.minimum(pairs, enough))
    literals = np.concatenate([[TRUE], first + np.arange(len(sums) - 1)])
    i, j = np.nonzero((pairs < enough) | _least(pairs >= enough))
    reached = np.searchsorted(sums, np.minimum(pairs[i, j], enough))
    up = columns(-a[1][i], -b[1][j], literals[reached])
    i, j = np.nonzero(pairs < enough)
    following = np.append(literals, FALSE)[np.searchsorted(sums, pairs[i, j]) + 1]
    down = columns(_next(a)[i], _next(b)[j], -following)
    sorted_ = columns(-literals[2:], literals[1:-1])
    return clean(stack(up, down, sorted_)), (sums, literals)


def _not_above(a: Number, b: Number, high: int) -> Tokens:
    """For every value on the left the least one on the right with which it is too much."""
    i = np.arange(len(a[0]))
    j = np.searchsorted(b[0], high - a[0], "right")
    needed = (j < len(b[0])) & (np.diff(j, prepend=-1) != 0)
    return stack(columns(-a[1][i[needed]], -b[1][j[needed]]))


def _not_below(a: Number, b: Number, low: int) -> Tokens:
    """For every value on the left the largest one on the right with which it is not enough."""
    i = np.arange(len(a[0]))
    j = np.searchsorted(b[0], low - a[0], "left") - 1
    needed = (j >= 0) & (np.diff(j, append=-2) != 0)
    return stack(columns(_next(a)[i[needed]], _next(b)[j[needed]]))


def _next(number: Number) -> Ints:
    """For every value the literal that it is more."""
    return np.append(number[1][1:], FALSE)


def _least(reached: Bools) -> Bools:
    """Of the pairs that reach something, those for which neither value can be less."""
    least = reached.copy()
    least[1:] &= ~reached[:-1]
    least[:, 1:] &= ~reached[:, :-1]
    return least

"""Generalized totalizer (Joshi, Martins and Manquinho, CP 2015): a tree that adds sorted numbers.

An output of a node is equivalent to "at least s", for every sum s that its inputs can have, up to
the bound that matters. The root needs no outputs: each pair of values of its two inputs that is out
of bounds is excluded. A chain of inputs is a sorted number already.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Bools, Ints, Tokens, clean, columns, stack
from boardsat.generators.encodings import Weights
from boardsat.generators.encodings.pb import HUGE, MAX_TOKENS

COUNT_PRESERVING = True

Number = tuple[Ints, Ints]
"""Values of a number in ascending order from 0, and the literal of "at least" for each."""

ZERO = np.zeros(1, np.int64), np.array([TRUE])


def tokens(weights: Weights, low: int, high: int, limit: int = MAX_TOKENS) -> int:
    made = _make(weights, low, high, limit)
    return len(made[0]) if made else HUGE


def clauses(x: Ints, weights: Weights, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    made = _make(weights, low, high, MAX_TOKENS)
    assert made and (x[0], fresh) == (1, len(x) + 1)
    return made


@lru_cache(maxsize=4)
def _make(weights: Weights, low: int, high: int, limit: int) -> tuple[Tokens, int] | None:
    """Return the clauses over slots from 1 on; None if they have more than about `limit` tokens."""
    total = sum(weights.values)
    enough = high + 1 if high < total else low
    first = fresh = len(weights.values) + 1
    pieces: list[Tokens] = []
    numbers = [(len(number[0]), index, number) for index, number in enumerate(_leaves(weights))]
    heapq.heapify(numbers)
    # The two shortest are added first, so that the tree is balanced, with long chains at its top.
    while len(numbers) > 2:
        (_, _, a), (_, index, b) = heapq.heappop(numbers), heapq.heappop(numbers)
        limit -= 8 * len(a[0]) * len(b[0])
        if limit < 0:
            return None
        adder, number = _add(a, b, enough, first)
        pieces.append(adder)
        first += len(number[0]) - 1
        heapq.heappush(numbers, (len(number[0]), index, number))
    (_, _, a), (_, _, b) = numbers if len(numbers) > 1 else [*numbers, (1, 1, ZERO)]
    if high < total:
        pieces.append(_at_most(a, b, high))
    if low > 0:
        pieces.append(_at_least(a, b, low))
    return clean(np.concatenate(pieces)), first - fresh


def _leaves(weights: Weights) -> Iterator[Number]:
    start = 0
    for length in weights.chains:
        sums = accumulate(weights.values[start : start + length], initial=0)
        yield np.array([*sums]), np.concatenate([[TRUE], start + 1 + np.arange(length)])
        start += length


def _add(a: Number, b: Number, enough: int, first: int) -> tuple[Tokens, Number]:
    """Return the clauses of a node, and its number, whose literals are numbered from `first` on."""
    pairs = a[0][:, None] + b[0]
    sums = np.unique(np.minimum(pairs, enough))
    literals = np.concatenate([[TRUE], first + np.arange(len(sums) - 1)])
    i, j = np.nonzero((pairs < enough) | _minimal(pairs >= enough))
    reached = np.searchsorted(sums, np.minimum(pairs[i, j], enough))
    up = columns(-a[1][i], -b[1][j], literals[reached])
    i, j = np.nonzero(pairs < enough)
    following = np.append(literals, FALSE)[np.searchsorted(sums, pairs[i, j]) + 1]
    down = columns(_next(a)[i], _next(b)[j], -following)
    sorted_ = columns(-literals[2:], literals[1:-1])
    return clean(stack(up, down, sorted_)), (sums, literals)


def _at_most(a: Number, b: Number, high: int) -> Tokens:
    """Return clauses that exclude for each value of a the smallest value of b that is too large."""
    i = np.arange(len(a[0]))
    j = np.searchsorted(b[0], high - a[0], "right")
    is_needed = (j < len(b[0])) & (np.diff(j, prepend=-1) != 0)
    return stack(columns(-a[1][i[is_needed]], -b[1][j[is_needed]]))


def _at_least(a: Number, b: Number, low: int) -> Tokens:
    """Return clauses that exclude for each value of a the largest value of b that is too small."""
    i = np.arange(len(a[0]))
    j = np.searchsorted(b[0], low - a[0], "left") - 1
    is_needed = (j >= 0) & (np.diff(j, append=-2) != 0)
    return stack(columns(_next(a)[i[is_needed]], _next(b)[j[is_needed]]))


def _next(number: Number) -> Ints:
    """Return the literal of "more than" for each value."""
    return np.append(number[1][1:], FALSE)


def _minimal(is_reached: Bools) -> Bools:
    """Return True for each reached pair that is not reached with either value decreased."""
    is_minimal = is_reached.copy()
    is_minimal[1:] &= ~is_reached[:-1]
    is_minimal[:, 1:] &= ~is_reached[:, :-1]
    return is_minimal

"""Tours of a graph by their numbers, each as its vertices in the order of the visit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from boardsat.adapters.counters.asked import AskedTours
from boardsat.adapters.counters.closing import of_all_paths, of_cycles, of_paths
from boardsat.adapters.counters.matchings import Ints
from boardsat.adapters.counters.unranking import numbered_cycles


class NumberedTours(NamedTuple):
    total: int
    orders: Callable[[Sequence[int]], Ints]
    """For each of these numbers below the total, a row of vertices."""


def numbered_tours(asked: AskedTours) -> NumberedTours:
    """What takes long is done now; then a tour takes no time."""
    vertices, edges, start, closed = asked
    if vertices == 1 and not closed:
        return NumberedTours(1, lambda numbers: np.zeros((len(numbers), 1), np.int64))
    if closed:
        return _closed(vertices, edges, start or 0)
    return _from_anywhere(vertices, edges) if start is None else _from(vertices, edges, start)


def _closed(vertices: int, edges: list[tuple[int, int]], start: int) -> NumberedTours:
    """From the start to the smaller of the two vertices next to it: a cycle has no direction."""
    cycles = numbered_cycles(of_cycles(vertices, edges))

    def orders(numbers: Sequence[int]) -> Ints:
        found = cycles.neighbours(numbers)
        return _walked(found, start, found[:, start].min(axis=1))

    return NumberedTours(cycles.total, orders)


def _from(vertices: int, edges: list[tuple[int, int]], start: int) -> NumberedTours:
    """The vertex that closes a path comes before its start."""
    cycles = numbered_cycles(of_paths(vertices, edges, start))

    def orders(numbers: Sequence[int]) -> Ints:
        found = cycles.neighbours(numbers)
        return _walked(found, vertices, np.full(len(numbers), start))[:, 1:]

    return NumberedTours(cycles.total, orders)


def _from_anywhere(vertices: int, edges: list[tuple[int, int]]) -> NumberedTours:
    """The last bit of a number is the direction."""
    cycles = numbered_cycles(of_all_paths(vertices, edges))

    def orders(numbers: Sequence[int]) -> Ints:
        found = cycles.neighbours([number >> 1 for number in numbers])
        backwards = np.array([number & 1 for number in numbers], np.int64)
        ends = np.sort(found[:, vertices], axis=1)
        return _walked(found, vertices, ends[np.arange(len(ends)), backwards])[:, 1:]

    return NumberedTours(2 * cycles.total, orders)


def _walked(neighbours: Ints, first: int, second: Ints) -> Ints:
    """All cycles at once, from a vertex to one next to it and on."""
    count, vertices, _ = neighbours.shape
    rows, order = np.arange(count), np.empty((count, vertices), np.int64)
    order[:, 0], order[:, 1:2] = first, second[:, None]
    for place in range(2, vertices):
        one, other = neighbours[rows, order[:, place - 1]].T
        order[:, place] = np.where(one == order[:, place - 2], other, one)
    return order

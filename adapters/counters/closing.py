"""Graphs whose Hamiltonian cycles stand for what is asked: cycles, or paths made into some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.counters.leaving import Neighbours

Edges = Sequence[tuple[int, int]] | NDArray[np.integer]


class Closed(NamedTuple):
    """A graph in which two vertices may be tied: joined by a chosen edge already."""

    neighbours: Neighbours
    tied: frozenset[int] = frozenset()

    @property
    def has_none(self) -> bool:
        """Whether it takes no look at all to see that there is no cycle."""
        degrees = [len(them) + (v in self.tied) for v, them in enumerate(self.neighbours)]
        return len(degrees) < 3 or min(degrees) < 2 or not self._is_connected

    @property
    def _is_connected(self) -> bool:
        seen, ahead = {0}, [0]
        while ahead:
            fresh = self.neighbours[ahead.pop()] - seen
            seen |= fresh
            ahead += fresh
        return len(seen) == len(self.neighbours)


def of_cycles(vertices: int, edges: Edges) -> Closed:
    """The graph itself; loops and repeated edges do not count."""
    return Closed(_neighbours(vertices, edges))


def of_paths(vertices: int, edges: Edges, start: int) -> Closed:
    """One more vertex, tied to the start already and free to meet any other, closes each path."""
    if not 0 <= start < vertices:
        raise ValueError(f"the start {start} is not a vertex of {vertices}")
    neighbours = _neighbours(vertices, edges)
    others = set(range(vertices)) - {start}
    for vertex in others:
        neighbours[vertex].add(vertices)
    return Closed([*neighbours, others], frozenset({start, vertices}))


def of_all_paths(vertices: int, edges: Edges) -> Closed:
    """One more vertex, next to all others, closes each path, which has two directions."""
    neighbours = _neighbours(vertices, edges)
    for them in neighbours:
        them.add(vertices)
    return Closed([*neighbours, set(range(vertices))])


def _neighbours(vertices: int, edges: Edges) -> Neighbours:
    neighbours: Neighbours = [set() for _ in range(vertices)]
    for u, v in np.asarray(edges, dtype=np.int64).reshape(-1, 2).tolist():
        if not (0 <= u < vertices and 0 <= v < vertices):
            raise ValueError(f"the edge {u}-{v} leaves the {vertices} vertices")
        if u != v:
            neighbours[u].add(v)
            neighbours[v].add(u)
    return neighbours

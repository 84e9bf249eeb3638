"""Convert a board into the Hamiltonian cycle or path counting problem of the frontier method.

Paths are counted as cycles through one more vertex. Vertices are eliminated in an order with a
small frontier, found by beam search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.boards import Board, begins_anywhere, start_of
from boardsat.adapters.dimacs.header import Header
from boardsat.base.errors import InputError


class AskedTours(NamedTuple):
    vertices: int
    edges: list[tuple[int, int]]
    start: int | None
    """None where each vertex may be the first."""
    closed: bool


def asked_tours(header: Header, board: Board) -> AskedTours:
    if board.guards():
        raise InputError("frontier counts tours without regard to enemies")
    if header.parameters.get("fix"):
        raise InputError("frontier counts tours without regard to fix")
    if board.directed:
        raise InputError(
            "frontier counts on graphs without arcs", "use a counter or sampler of formulas"
        )
    start = None if begins_anywhere(header.parameters) else start_of(header, board)
    return AskedTours(board.cells, board.edges(), start, header.closed)


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


Neighbours = list[set[int]]
Chain = tuple[int, "Chain"] | None

MOST_SLOTS = 31  # two bits each in a signed word
_BEAM = 100  # orders that are followed at once


def narrow_order(neighbours: Neighbours, tied: frozenset[int]) -> list[int]:
    """An order of leaving with a narrow frontier, by a beam search on the sets of the gone."""
    masks = [sum(1 << other for other in them) for them in neighbours]
    everyone = (1 << len(masks)) - 1
    # Of each set: the cost so far, the frontier, and the order as a chain from the back.
    beam: dict[int, tuple[float, int, Chain]] = {0: (0.0, sum(1 << v for v in tied), None)}
    for _ in masks:
        following: dict[int, tuple[float, int, Chain]] = {}
        for gone, (cost, frontier, chain) in beam.items():
            ahead = frontier or everyone
            while ahead:
                bit = ahead & -ahead
                ahead ^= bit
                vertex, after = bit.bit_length() - 1, gone | bit
                rest = (frontier | masks[vertex]) & ~after
                price = cost + 4.0 ** min(rest.bit_count(), 2 * MOST_SLOTS)
                if after not in following or price < following[after][0]:
                    following[after] = (price, rest, (vertex, chain))
        best = sorted(following.items(), key=lambda item: item[1][0])
        beam = dict(best[:_BEAM])
    order: list[int] = []
    chain = beam[everyone][2]
    while chain is not None:
        vertex, chain = chain
        order.append(vertex)
    return order[::-1]

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

Edges = Sequence[tuple[int, int]] | NDArray[np.integer]

Neighbours = list[set[int]]

Chain = tuple[int, "Chain"] | None

MAX_SLOTS = 31  # two bits each in a signed word

_BEAM_WIDTH = 100


class TourProblem(NamedTuple):
    """Graph whose Hamiltonian cycles or paths are counted."""

    vertices: int
    edges: list[tuple[int, int]]
    start: int | None
    """First vertex of a path, or None if any vertex can be the first."""
    closed: bool


def tour_problem(header: Header, board: Board) -> TourProblem:
    """Return the counting problem of a board; raise InputError if it is not supported."""
    if board.guards():
        raise InputError("frontier counts tours without regard to enemies")
    if header.parameters.get("fix"):
        raise InputError("frontier counts tours without regard to fix")
    if board.directed:
        raise InputError(
            "frontier counts on graphs without arcs", "use a counter or sampler of formulas"
        )
    start = None if begins_anywhere(header.parameters) else start_of(header, board)
    return TourProblem(board.cells, board.edges(), start, header.closed)


class CycleProblem(NamedTuple):
    """Graph whose Hamiltonian cycles are counted, possibly with one edge that every cycle has."""

    neighbours: Neighbours
    tied: frozenset[int] = frozenset()
    """Ends of the edge that every cycle has, or empty."""

    @property
    def is_trivially_empty(self) -> bool:
        """Whether degrees or connectivity rule out a Hamiltonian cycle."""
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


def cycle_problem(vertices: int, edges: Edges) -> CycleProblem:
    """Return the problem of the cycles of a graph. Loops and repeated edges are ignored."""
    return CycleProblem(_neighbours(vertices, edges))


def path_problem(vertices: int, edges: Edges, start: int) -> CycleProblem:
    """Return the problem of the paths from a start: a new vertex, tied to it, closes each path."""
    if not 0 <= start < vertices:
        raise ValueError(f"the start {start} is not a vertex of {vertices}")
    neighbours = _neighbours(vertices, edges)
    others = set(range(vertices)) - {start}
    for vertex in others:
        neighbours[vertex].add(vertices)
    return CycleProblem([*neighbours, others], frozenset({start, vertices}))


def all_paths_problem(vertices: int, edges: Edges) -> CycleProblem:
    """Return the problem of all undirected paths: a new vertex, next to all others, closes each."""
    neighbours = _neighbours(vertices, edges)
    for them in neighbours:
        them.add(vertices)
    return CycleProblem([*neighbours, set(range(vertices))])


def _neighbours(vertices: int, edges: Edges) -> Neighbours:
    neighbours: Neighbours = [set() for _ in range(vertices)]
    for u, v in np.asarray(edges, dtype=np.int64).reshape(-1, 2).tolist():
        if not (0 <= u < vertices and 0 <= v < vertices):
            raise ValueError(f"the edge {u}-{v} leaves the {vertices} vertices")
        if u != v:
            neighbours[u].add(v)
            neighbours[v].add(u)
    return neighbours


def min_frontier_order(neighbours: Neighbours, tied: frozenset[int]) -> list[int]:
    """Return an elimination order with a small frontier: beam search over eliminated sets."""
    masks = [sum(1 << other for other in them) for them in neighbours]
    all_vertices = (1 << len(masks)) - 1
    # Eliminated set -> cost so far, frontier, and the order as a linked list from its end.
    beam: dict[int, tuple[float, int, Chain]] = {0: (0.0, sum(1 << v for v in tied), None)}
    for _ in masks:
        following: dict[int, tuple[float, int, Chain]] = {}
        for gone, (cost, frontier, chain) in beam.items():
            ahead = frontier or all_vertices
            while ahead:
                bit = ahead & -ahead
                ahead ^= bit
                vertex, after = bit.bit_length() - 1, gone | bit
                rest = (frontier | masks[vertex]) & ~after
                price = cost + 4.0 ** min(rest.bit_count(), 2 * MAX_SLOTS)
                if after not in following or price < following[after][0]:
                    following[after] = (price, rest, (vertex, chain))
        best = sorted(following.items(), key=lambda item: item[1][0])
        beam = dict(best[:_BEAM_WIDTH])
    order: list[int] = []
    chain = beam[all_vertices][2]
    while chain is not None:
        vertex, chain = chain
        order.append(vertex)
    return order[::-1]

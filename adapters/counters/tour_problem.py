"""Hamiltonian cycle and path problems of a board, for the frontier method.

Paths are counted as cycles through an additional vertex. Vertices are eliminated in an order with a
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

MAX_SLOTS = 31
"""Exclusive limit on the frontier: a pattern has two bits for each vertex in an int64."""

_BEAM_WIDTH = 100

OTHER_COUNTER = "use a counter or sampler of formulas"


class TourProblem(NamedTuple):
    """Graph whose Hamiltonian cycles or paths are counted."""

    vertices: int
    edges: Edges
    start: int | None
    """First vertex of a path, or None if any vertex can be the first."""
    closed: bool

    @property
    def is_single_vertex(self) -> bool:
        """True if the only tour is a path without edges."""
        return self.vertices == 1 and not self.closed

    @property
    def tours_per_cycle(self) -> int:
        """Number of tours that are counted for each cycle of the cycle problem."""
        return 1 if self.closed or self.start is not None else 2


def tour_problem(header: Header, board: Board) -> TourProblem:
    """Return the counting problem of a board; raise InputError if it is not supported."""
    if board.guards():
        raise InputError("the frontier method does not support enemy pieces", OTHER_COUNTER)
    if header.parameters.get("fix"):
        raise InputError("the frontier method does not support --fix", OTHER_COUNTER)
    if board.directed:
        raise InputError("the frontier method does not support directed graphs", OTHER_COUNTER)
    start = None if begins_anywhere(header.parameters) else start_of(header, board)
    return TourProblem(board.cells, board.edges(), start, header.closed)


class CycleProblem(NamedTuple):
    """Graph whose Hamiltonian cycles are counted, possibly with one edge that every cycle has."""

    neighbours: Neighbours
    tied: frozenset[int] = frozenset()
    """Ends of the edge that every cycle has, or empty."""

    @property
    def is_trivially_empty(self) -> bool:
        """True if degrees or connectivity rule out a Hamiltonian cycle."""
        degrees = [len(adjacent) + (v in self.tied) for v, adjacent in enumerate(self.neighbours)]
        return len(degrees) < 3 or min(degrees) < 2 or not self._is_connected

    @property
    def _is_connected(self) -> bool:
        visited, stack = {0}, [0]
        while stack:
            unvisited = self.neighbours[stack.pop()] - visited
            visited |= unvisited
            stack += unvisited
        return len(visited) == len(self.neighbours)


def cycle_problem(tour: TourProblem) -> CycleProblem:
    """Return the problem whose cycles are the tours. Loops and repeated edges are ignored.

    An additional vertex closes paths. It is tied to their start, if they have one; if not, each
    cycle is two paths, one in each direction.
    """
    vertices, edges, start, closed = tour
    neighbours = _neighbours(vertices, edges)
    if closed:
        return CycleProblem(neighbours)
    if start is not None and not 0 <= start < vertices:
        raise ValueError(f"start must be a vertex from 0 to {vertices - 1} (got {start})")
    ends = set(range(vertices)) - {start}
    for vertex in ends:
        neighbours[vertex].add(vertices)
    tied = frozenset() if start is None else frozenset((start, vertices))
    return CycleProblem([*neighbours, ends], tied)


def _neighbours(vertices: int, edges: Edges) -> Neighbours:
    neighbours: Neighbours = [set() for _ in range(vertices)]
    for u, v in np.asarray(edges, dtype=np.int64).reshape(-1, 2).tolist():
        if not (0 <= u < vertices and 0 <= v < vertices):
            raise ValueError(f"edge ends must be from 0 to {vertices - 1} (got {u}-{v})")
        if u != v:
            neighbours[u].add(v)
            neighbours[v].add(u)
    return neighbours


def min_frontier_order(neighbours: Neighbours, tied: frozenset[int]) -> list[int]:
    """Return an elimination order with a small frontier: beam search over eliminated sets."""
    masks = [sum(1 << neighbour for neighbour in adjacent) for adjacent in neighbours]
    all_vertices = (1 << len(masks)) - 1
    # Eliminated set -> cost so far, frontier, and the order as a linked list from its end.
    beam: dict[int, tuple[float, int, Chain]] = {0: (0.0, sum(1 << v for v in tied), None)}
    for _ in masks:
        successors: dict[int, tuple[float, int, Chain]] = {}
        for eliminated, (cost, frontier, chain) in beam.items():
            candidates = frontier or all_vertices
            while candidates:
                bit = candidates & -candidates
                candidates ^= bit
                vertex, next_eliminated = bit.bit_length() - 1, eliminated | bit
                next_frontier = (frontier | masks[vertex]) & ~next_eliminated
                next_cost = cost + 4.0 ** min(next_frontier.bit_count(), 2 * MAX_SLOTS)
                if next_eliminated not in successors or next_cost < successors[next_eliminated][0]:
                    successors[next_eliminated] = (next_cost, next_frontier, (vertex, chain))
        best = sorted(successors.items(), key=lambda item: item[1][0])
        beam = dict(best[:_BEAM_WIDTH])
    order: list[int] = []
    chain = beam[all_vertices][2]
    while chain is not None:
        vertex, chain = chain
        order.append(vertex)
    return order[::-1]

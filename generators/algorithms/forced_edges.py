"""`forced_edges()`: edges in every closed tour, and edges in none, found by propagation.

Key 0 has edges that are in no closed tour, key 1 edges that are in every one. If the
graph has an articulation point, key 2 has it, as a pair with itself; then there is no closed tour.
If there is no closed tour because a cell has too few edges left, keys 0 and 1 show that.

These rules are applied until nothing changes:

- Both edges of a cell of degree two are in every tour, and so are both edges of a 2-edge cut.
- A cell with two forced edges has no other edges in a tour.
- An edge between the ends of a path of forced edges is in no tour unless the path has all cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet

EXCLUDED, FORCED, ARTICULATION = range(3)

TOUR_DEGREE = 2

# Separators are sought only in graphs of at most this many edges, or with at most two edges for
# each cell: large boards have none, and the search would take longer than all their clauses.
MAX_EDGES, MAX_SPARSE_EDGES = 2**12, 2**15

CELL_BYTES, EDGE_BYTES = 5600, 2800  # memory of the search for each cell and edge

Edge = tuple[int, int]
"""Edge with its smaller end first."""


def compute(board: Board) -> KeyedSet:
    if board.directed or not board.cells:
        return _keyed_set({})
    tour = _TourEdges(board)
    articulation: list[Edge] = []
    sparse_cells = np.flatnonzero(np.diff(board.neighbours.starts) <= TOUR_DEGREE)
    is_consistent = tour.propagate(sparse_cells.tolist())
    num_edges = len(board.neighbours.columns[0]) // 2
    while is_consistent and num_edges <= max(MAX_EDGES, min(MAX_SPARSE_EDGES, 2 * board.cells)):
        # Besides the search itself, a bit for each cell and each edge outside the search tree.
        checkpoint((CELL_BYTES + num_edges // 8) * board.cells + EDGE_BYTES * num_edges)
        num_excluded = len(tour.excluded)
        separating = separators(tour.adjacency())
        articulation = [(cell, cell) for cell in separating.cells[:1]]
        new_forced = sorted(separating.edges - tour.forced)
        if separating.cells or not new_forced:
            break
        is_consistent = all(tour.force(*edge) for edge in new_forced) and tour.propagate(
            [cell for edge in new_forced for cell in edge]
        )
        if len(tour.excluded) == num_excluded:
            break
    edges = {EXCLUDED: sorted(tour.excluded), FORCED: sorted(tour.forced)}
    return _keyed_set({**edges, ARTICULATION: articulation})


def _keyed_set(pairs: dict[int, list[Edge]]) -> KeyedSet:
    keys = [key for key, edges in pairs.items() for _ in edges]
    ends = np.array([edge for edges in pairs.values() for edge in edges], np.int64).reshape(-1, 2)
    return KeyedSet.group(np.array(keys, np.int64), (ARTICULATION + 1,), [ends[:, 0], ends[:, 1]])


class _TourEdges:
    """Forced and excluded edges, and their propagation at cells with few edges left."""

    def __init__(self, board: Board) -> None:
        checkpoint(16 * board.cells)
        self.board = board
        self.excluded: set[Edge] = set()
        self.forced: set[Edge] = set()
        self.forced_degree: defaultdict[int, int] = defaultdict(int)
        """Number of forced edges at each cell."""
        self.path_ends: dict[int, tuple[int, int]] = {}
        """Other end and number of cells of the path of forced edges, for each cell at an end."""
        self.queue: dict[int, None] = {}
        """Cells whose edges have changed, in the order of the changes."""

    def neighbours(self, cell: int) -> list[int]:
        """Return the neighbours along edges that are not excluded."""
        starts, (targets,) = self.board.neighbours.starts, self.board.neighbours.columns
        cells: list[int] = targets[starts[cell] : starts[cell + 1]].tolist()
        return [neighbour for neighbour in cells if _edge(cell, neighbour) not in self.excluded]

    def adjacency(self) -> list[list[int]]:
        """Return the neighbours of all cells."""
        return [self.neighbours(cell) for cell in range(self.board.cells)]

    def propagate(self, cells: list[int]) -> bool:
        """Apply the rules to these cells and all that change; return False if there is no tour."""
        self._enqueue(cells)
        while self.queue:
            cell, _ = self.queue.popitem()
            neighbours = self.neighbours(cell)
            checkpoint()
            if len(neighbours) < TOUR_DEGREE or self.forced_degree[cell] > TOUR_DEGREE:
                return False
            for neighbour in neighbours:
                edge = _edge(cell, neighbour)
                if edge in self.forced:
                    continue
                if len(neighbours) == TOUR_DEGREE and not self.force(*edge):
                    return False
                if len(neighbours) > TOUR_DEGREE and self.forced_degree[cell] == TOUR_DEGREE:
                    self._exclude(edge)
        return True

    def force(self, u: int, v: int) -> bool:
        """Force an edge and exclude the one that closes its path; return False if impossible."""
        if (u, v) in self.forced:
            return True
        if (u, v) in self.excluded:
            return False
        (first, length), (last, length_v) = (
            self.path_ends.get(u, (u, 1)),
            self.path_ends.get(v, (v, 1)),
        )
        if first == v and length < self.board.cells:
            self.excluded.add((u, v))
            return False
        self.forced.add((u, v))
        self._enqueue((u, v))
        for cell in (u, v):
            self.forced_degree[cell] += 1
        length += length_v
        self.path_ends[first], self.path_ends[last] = (last, length), (first, length)
        closing = _edge(first, last)
        if (
            length < self.board.cells
            and closing not in self.forced
            and last in self.neighbours(first)
        ):
            self._exclude(closing)
        return True

    def _exclude(self, edge: Edge) -> None:
        self.excluded.add(edge)
        self._enqueue(edge)

    def _enqueue(self, cells: Iterable[int]) -> None:
        """Queue cells, each once: a cell of high degree may lose most of its edges."""
        self.queue.update(dict.fromkeys(cells))


def _edge(u: int, v: int) -> Edge:
    return (u, v) if u < v else (v, u)


class Separators(NamedTuple):
    """Articulation points and 2-edge cuts of a graph."""

    cells: list[int]
    """Articulation points; of a disconnected graph, one cell that cell 0 does not reach."""
    edges: set[Edge]
    """Edges that form a 2-edge cut with another edge."""


def separators(adjacency: list[list[int]]) -> Separators:
    """Return the separators of a graph, given by neighbours, by one depth-first search.

    Each edge outside the search tree closes a fundamental cycle. Two edges are a 2-edge cut if and
    only if they are on the same set of fundamental cycles, so that these sets are classes of edges
    of which every two are a cut.
    """
    order, parents, positions = _depth_first_search(adjacency)
    if len(order) < len(adjacency):
        return Separators([positions.index(-1)], set())
    low = list(positions)
    cycles_of: list[int] = [0] * len(adjacency)
    """Fundamental cycles, as a bit mask, through the tree edge to each cell."""
    classes: dict[int, list[Edge]] = defaultdict(list)
    num_cycles = num_root_children = 0
    articulation_points = set[int]()
    for cell in reversed(order):
        checkpoint()
        parent = parents[cell]
        for neighbour in adjacency[cell]:
            if parents[neighbour] != cell and neighbour != parent:
                low[cell] = min(low[cell], positions[neighbour])
                if positions[neighbour] < positions[cell]:
                    cycle = 1 << num_cycles
                    cycles_of[cell] ^= cycle
                    cycles_of[neighbour] ^= cycle
                    classes[cycle].append(_edge(cell, neighbour))
                    num_cycles += 1
        if parent < 0:
            continue
        low[parent] = min(low[parent], low[cell])
        cycles_of[parent] ^= cycles_of[cell]
        classes[cycles_of[cell]].append(_edge(cell, parent))
        if parents[parent] < 0:
            num_root_children += 1
        elif low[cell] >= positions[parent]:
            articulation_points.add(parent)
    if num_root_children > 1:
        articulation_points.add(order[0])
    cuts = {edge for edges in classes.values() if len(edges) > 1 for edge in edges}
    return Separators(sorted(articulation_points), cuts)


def _depth_first_search(adjacency: list[list[int]]) -> tuple[list[int], list[int], list[int]]:
    """Return the cells in preorder from cell 0, and parent and position of all cells, or -1."""
    order: list[int] = []
    parents, positions = [-1] * len(adjacency), [-1] * len(adjacency)
    stack = [(0, -1)]
    while stack:
        cell, parent = stack.pop()
        if positions[cell] >= 0:
            continue
        parents[cell], positions[cell] = parent, len(order)
        order.append(cell)
        stack += [(neighbour, cell) for neighbour in adjacency[cell] if positions[neighbour] < 0]
    return order, parents, positions

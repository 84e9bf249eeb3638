"""`forced()`: edges that are in every closed tour, and edges that are in none, by propagation.

Edges under key 0 are in no closed tour, those under key 1 in every one. If a cell is under key 2,
as a pair with itself, it is an articulation point, and there is no closed tour. If there is none
because a cell has too few edges left, the other keys show that.

Both edges of a cell of degree two are in every tour, and so are two edges that disconnect the graph
together. A cell with two such edges has no other edges in a tour. An edge that joins the ends of a
path of such edges closes it, which is too early while there are other cells. That is repeated until
the fixpoint.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet

NEVER, ALWAYS, PARTING = range(3)

BOTH = 2
"""The edges that every cell has in a tour."""

FEW, SPARSE = 2**12, 2**15
"""Edges of a graph in which separators are sought, and of one with at most two for every cell: in a
large board, which has none of them, that would take longer than all its clauses."""

CELL, EDGE = 5600, 2800
"""Bytes that a search takes for every cell and edge."""


def compute(board: Board) -> KeyedSet:
    if board.directed or not board.cells:
        return _given({})
    found = _Decided(board)
    parting: list[Pair] = []
    few = np.flatnonzero(np.diff(board.neighbours.starts) <= BOTH)
    going = found.settle(few.tolist())
    edges = len(board.neighbours.columns[0]) // 2
    while going and edges <= max(FEW, min(SPARSE, 2 * board.cells)):
        # Beside the search itself, a bit for every cell and every edge outside the tree.
        checkpoint((CELL + edges // 8) * board.cells + EDGE * edges)
        excluded = len(found.never)
        apart = separators(found.near())
        parting = [(cell, cell) for cell in apart.cells[:1]]
        more = sorted(apart.edges - found.always)
        if apart.cells or not more:
            break
        going = all(found.take(*edge) for edge in more)
        going = going and found.settle([cell for edge in more for cell in edge])
        if len(found.never) == excluded:
            break
    return _given({NEVER: sorted(found.never), ALWAYS: sorted(found.always), PARTING: parting})


def _given(pairs: dict[int, list[Pair]]) -> KeyedSet:
    keys = [key for key, edges in pairs.items() for _ in edges]
    ends = np.array([edge for edges in pairs.values() for edge in edges], np.int64).reshape(-1, 2)
    return KeyedSet.group(np.array(keys, np.int64), (PARTING + 1,), [ends[:, 0], ends[:, 1]])


class _Decided:
    """What is known of the edges; only what follows from few neighbours is looked at."""

    def __init__(self, board: Board) -> None:
        checkpoint(16 * board.cells)
        self.board = board
        self.never: set[Pair] = set()
        self.always: set[Pair] = set()
        self.taken: defaultdict[int, int] = defaultdict(int)
        """How many of them are in every tour."""
        self.ends: dict[int, tuple[int, int]] = {}
        """Of a cell where a path of such edges ends: the other end, and how many cells it has."""
        self.ahead: list[int] = []

    def around(self, cell: int) -> list[int]:
        """The cells to which an edge may be in a tour."""
        starts, (targets,) = self.board.neighbours.starts, self.board.neighbours.columns
        every: list[int] = targets[starts[cell] : starts[cell + 1]].tolist()
        return [other for other in every if _edge(cell, other) not in self.never]

    def near(self) -> list[list[int]]:
        return [self.around(cell) for cell in range(self.board.cells)]

    def settle(self, cells: list[int]) -> bool:
        """Whether a tour may be left, when all has followed from what these cells have left."""
        self.ahead += cells
        while self.ahead:
            cell = self.ahead.pop()
            around = self.around(cell)
            checkpoint()
            if len(around) < BOTH or self.taken[cell] > BOTH:
                return False
            for other in around:
                edge = _edge(cell, other)
                if edge in self.always:
                    continue
                if len(around) == BOTH and not self.take(*edge):
                    return False
                if len(around) > BOTH and self.taken[cell] == BOTH:
                    self._leave_out(edge)
        return True

    def take(self, u: int, v: int) -> bool:
        """Whether a tour may be left with this edge."""
        if (u, v) in self.always:
            return True
        if (u, v) in self.never:
            return False
        (first, length), (last, more) = self.ends.get(u, (u, 1)), self.ends.get(v, (v, 1))
        if first == v and length < self.board.cells:
            self.never.add((u, v))
            return False
        self.always.add((u, v))
        self.ahead += (u, v)
        for cell in (u, v):
            self.taken[cell] += 1
        length += more
        self.ends[first], self.ends[last] = (last, length), (first, length)
        closing = _edge(first, last)
        if length < self.board.cells and closing not in self.always and last in self.around(first):
            self._leave_out(closing)
        return True

    def _leave_out(self, edge: Pair) -> None:
        self.never.add(edge)
        self.ahead += edge


def _edge(u: int, v: int) -> Pair:
    return (u, v) if u < v else (v, u)


Pair = tuple[int, int]
"""An edge, its smaller end first."""


class Separators(NamedTuple):
    """Articulation points and 2-edge cuts of a graph."""

    cells: list[int]
    """Articulation points; a cell outside the first component if there are several."""
    edges: set[Pair]
    """Edges that form a 2-edge cut with another edge."""


def separators(near: list[list[int]]) -> Separators:
    """Find the separators of a graph, given by neighbours, by one depth-first search.

    Each edge outside the search tree closes a cycle with it. Two edges are a cut if and only if
    they are on the same of these cycles: so the edges of each set of cycles are a class, in which
    every two are a cut.
    """
    order, before, place = _search(near)
    if len(order) < len(near):
        return Separators([next(cell for cell, at in enumerate(place) if at < 0)], set())
    low = list(place)
    on: list[int] = [0] * len(near)
    """Set of cycles, as a bit mask, on which the tree edge to each cell is."""
    classes: dict[int, list[Pair]] = defaultdict(list)
    cycles = 0
    children = 0
    cut = set[int]()
    for cell in reversed(order):
        checkpoint()
        parent = before[cell]
        for other in near[cell]:
            if before[other] != cell and other != parent:
                low[cell] = min(low[cell], place[other])
                if place[other] < place[cell]:
                    on[cell] ^= 1 << cycles
                    on[other] ^= 1 << cycles
                    classes[1 << cycles].append((min(cell, other), max(cell, other)))
                    cycles += 1
        if parent < 0:
            continue
        low[parent] = min(low[parent], low[cell])
        on[parent] ^= on[cell]
        classes[on[cell]].append((min(cell, parent), max(cell, parent)))
        if before[parent] < 0:
            children += 1
        elif low[cell] >= place[parent]:
            cut.add(parent)
    if children > 1:
        cut.add(order[0])
    together = [edges for edges in classes.values() if len(edges) > 1]
    return Separators(sorted(cut), {edge for edges in together for edge in edges})


def _search(near: list[list[int]]) -> tuple[list[int], list[int], list[int]]:
    """Return cells in depth-first order, the parent of each, and the position of each."""
    order: list[int] = []
    before, place = [-1] * len(near), [-1] * len(near)
    ahead = [(0, -1)]
    while ahead:
        cell, parent = ahead.pop()
        if place[cell] >= 0:
            continue
        before[cell], place[cell] = parent, len(order)
        order.append(cell)
        ahead += [(other, cell) for other in near[cell] if place[other] < 0]
    return order, before, place

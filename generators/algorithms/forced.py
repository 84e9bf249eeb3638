"""`forced()`: what of the edges is decided for every closed tour, before any clause.

Edges under key 0 are in no closed tour, those under key 1 in every one. If a cell is under key 2,
as a pair with itself, the others fall apart without it, and there is no closed tour. If there is
none as a cell has too few edges left, what is under the other keys says so.

Two edges of a cell that has no more are in every tour, and so are two edges without which the cells
fall apart. A cell with two such edges has no others in any tour. An edge that joins the ends of a
path of such edges closes it, which is too early while there are other cells. That is repeated until
nothing more follows.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.connectivity.separators import Pair, separators
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

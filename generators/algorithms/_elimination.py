"""Cells eliminated from a graph one after the other, linking the neighbours of each.

What grows out of it is a chordal graph; the order decides how many links it has. The greedy orders
are those of the literature: least degree, and minimum fill.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet

LINK = 400
"""Bytes that a link takes."""

Pairs = list[tuple[int, int]]


def edges_of(board: Board, more: int = 0) -> Pairs:
    """The edges of a board, where there is room for them and as many links more."""
    checkpoint(LINK * (board.edges.size + more))
    u, v = (column.tolist() for column in board.edges.columns)
    return list(zip(u, v, strict=True))


class Links:
    """The links between the cells that are left, numbered in the order in which they come up."""

    def __init__(self, cells: int, pairs: Pairs) -> None:
        self.number = self.live = len(pairs)
        self.at: list[dict[int, int]] = [{} for _ in range(cells)]
        """For every cell, the number of its link to each cell that it is linked to."""
        for number, (i, j) in enumerate(pairs):
            self.at[i][j] = self.at[j][i] = number
        self.missing = [self._missing(cell) for cell in range(cells)]
        """How many pairs of the cells linked to each cell are not linked themselves."""
        self.changed: set[int] = set()

    def _missing(self, cell: int) -> int:
        """Count the pairs of neighbours of a cell that are not linked."""
        joined, missing = self.at[cell].keys(), 0
        for u in joined:
            checkpoint()
            # Every neighbour lacks the link to itself.
            missing += len(joined - self.at[u].keys()) - 1
        return missing // 2

    def degree(self, cell: int) -> int:
        return len(self.at[cell])

    def fill(self, cell: int) -> int:
        return self.missing[cell]

    def cells(self, cost: Callable[[int], int], keep: int = -1) -> Iterator[int]:
        """All but one to keep, the cheapest first; each must be removed before the next."""
        queue = [(cost(cell), cell) for cell in range(len(self.at))]
        heapify(queue)
        gone = {keep}
        while queue:
            known, cell = heappop(queue)
            if cell in gone or known != cost(cell):
                continue
            self.changed.clear()
            checkpoint()
            yield cell
            gone.add(cell)
            for u in self.changed:
                heappush(queue, (cost(u), u))

    def lacking(self, cells: list[int]) -> Iterator[tuple[int, int]]:
        """The pairs of these cells that are not linked; most of the neighbours of a cell are."""
        others = set(cells)
        for u in cells:
            others.discard(u)
            for w in sorted(others.difference(self.at[u])):
                yield u, w

    def join(self, u: int, w: int) -> tuple[int, int]:
        """The link between two cells until now, or -1, and the new one in its place."""
        of_u, of_w = self.at[u], self.at[w]
        checkpoint()
        before = of_u.get(w, -1)
        if before < 0:
            self.live += 1
            common = of_u.keys() & of_w.keys()
            shared, missing = len(common), self.missing
            for cell in common:
                missing[cell] -= 1
            missing[u] += len(of_u) - shared
            missing[w] += len(of_w) - shared
            self.changed |= common
        of_u[w] = of_w[u] = self.number
        self.number += 1
        return before, self.number - 1

    def remove(self, cell: int) -> None:
        """Take out a cell whose neighbours are all linked."""
        self.live -= len(self.at[cell])
        for u in self.at[cell]:
            self.missing[u] -= len(self.at[u]) - len(self.at[cell])
            del self.at[u][cell]
        self.changed |= self.at[cell].keys()


def later(links: Links, cells: Iterator[int]) -> KeyedSet:
    """For every cell that is taken out, the cells that it is still linked to when it goes."""
    keys, items = array("q"), array("q")
    for cell in cells:
        left = sorted(links.at[cell])
        checkpoint(LINK * len(left) ** 2 // 2)
        keys.extend([cell] * len(left))
        items.extend(left)
        for u, w in links.lacking(left):
            links.join(u, w)
        links.remove(cell)
    ends = np.array(keys, np.int64)
    return KeyedSet.group(ends, (len(links.at),), [np.array(items, np.int64)])

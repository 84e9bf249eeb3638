"""`contraction(k)`: cells taken out one after the other, and the links that take their place.

A cell that goes leaves a link between every two of its neighbours, so that a tour still leads
through those that stay. The cell whose neighbours lack the fewest links goes next (minimum fill),
until three stay. Links are numbered: first `edges`, then those from each cell to k cells more, then
the new ones. Each step (p, q, o, z) says that the links p and q of a cell that goes become the link
z between their other ends, where it replaces the link o; without one, o is the number of all links.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from itertools import combinations

import numpy as np

from generators.boards import Board
from generators.errors import InputError
from generators.limits import check_materialised
from generators.values import KeyedSet, TupleSet

STAY = 3
"""So many cells are left: on them there is one way round."""

LINK = 16
"""A link takes as much memory as so many numbers."""


def compute(board: Board, more: int = 0) -> TupleSet:
    return contract(board, more)[0]


def contract(board: Board, more: int) -> tuple[TupleSet, KeyedSet]:
    """The steps, and the links of every cell when it goes, where they are not all edges."""
    links = _Links(board, more)
    edges = links.number
    steps, ends, gone = array("q"), array("q"), array("q")
    for cell in links.cells():
        joined = sorted(links.at[cell].items())
        numbers = links.at[cell].values()
        if max(numbers, default=0) >= edges:
            ends.extend([cell] * len(joined))
            gone.extend(numbers)
        pairs = len(joined) * (len(joined) - 1) // 2
        check_materialised(len(steps) + 4 * pairs, "the contraction", "")
        for (u, p), (w, q) in combinations(joined, 2):
            steps.extend((p, q, *links.join(u, w)))
        links.remove(cell)
    columns = np.array(steps, np.int64).reshape(-1, 4).T
    columns[columns < 0] = links.number
    keys, items = np.array(ends, np.int64), np.array(gone, np.int64)
    return TupleSet(tuple(columns)), KeyedSet.group(keys, (len(links.at),), [items])


class _Links:
    """The links between the cells that are left."""

    def __init__(self, board: Board, more: int) -> None:
        if not 0 <= more <= board.cells:
            raise InputError(f"{more} cells more", f"add 0 to {board.cells}")
        cells = board.cells + more
        edges = board.edges
        check_materialised(LINK * (edges.size + more * cells), "the contraction", "")
        pairs = list(zip(*(column.tolist() for column in edges.columns), strict=True))
        pairs += [(i, j) for j in range(board.cells, cells) for i in range(j)]
        self.number = len(pairs)
        self.at: list[dict[int, int]] = [{} for _ in range(cells)]
        """For every cell, the number of its link to each cell that it is linked to."""
        for number, (i, j) in enumerate(pairs):
            self.at[i][j] = self.at[j][i] = number
        self.missing = [
            sum(w not in self.at[u] for u, w in combinations(joined, 2)) for joined in self.at
        ]
        """How many pairs of the cells linked to each cell are not linked themselves."""
        self.changed: set[int] = set()

    def cells(self) -> Iterator[int]:
        """All but those that stay; each must be removed before the next is asked for."""
        queue = [(missing, cell) for cell, missing in enumerate(self.missing)]
        heapify(queue)
        gone: set[int] = set()
        while len(gone) < len(self.at) - STAY:
            missing, cell = heappop(queue)
            if cell in gone or missing != self.missing[cell]:
                continue
            self.changed.clear()
            yield cell
            gone.add(cell)
            for u in self.changed:
                heappush(queue, (self.missing[u], u))

    def join(self, u: int, w: int) -> tuple[int, int]:
        """The link between two cells until now, or -1, and the new one in its place."""
        before = self.at[u].get(w, -1)
        if before < 0:
            common = self.at[u].keys() & self.at[w].keys()
            for cell in common:
                self.missing[cell] -= 1
            self.missing[u] += len(self.at[u]) - len(common)
            self.missing[w] += len(self.at[w]) - len(common)
            self.changed |= common
        self.at[u][w] = self.at[w][u] = self.number
        self.number += 1
        return before, self.number - 1

    def remove(self, cell: int) -> None:
        """Take out a cell whose neighbours are all linked."""
        for u in self.at[cell]:
            self.missing[u] -= len(self.at[u]) - len(self.at[cell])
            del self.at[u][cell]
        self.changed |= self.at[cell].keys()

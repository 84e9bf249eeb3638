"""Elimination graph: vertices are eliminated one by one, and the neighbours of each are linked.

The graph with all links is chordal; the order determines its number of links (fill-in). The greedy
orders are minimum degree and minimum fill-in.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet

LINK_BYTES = 400  # memory for each link

Pairs = list[tuple[int, int]]


def board_edges(board: Board, num_added: int = 0) -> Pairs:
    """Return the edges of a board; check the memory limit for them and `num_added` links."""
    checkpoint(LINK_BYTES * (board.edges.size + num_added))
    u, v = (column.tolist() for column in board.edges.columns)
    return list(zip(u, v, strict=True))


class EliminationGraph:
    """Links between the cells that are not yet eliminated, numbered in order of creation."""

    def __init__(self, cells: int, edges: Pairs) -> None:
        self.num_links = len(edges)
        """Number of links that were created."""
        self.links: list[dict[int, int]] = [{} for _ in range(cells)]
        """Number of the link to each neighbour, by cell."""
        for number, (i, j) in enumerate(edges):
            self.links[i][j] = self.links[j][i] = number
        self.fill_in = [self._count_missing_links(cell) for cell in range(cells)]
        """Number of pairs of neighbours that are not linked, by cell."""
        self._changed: set[int] = set()
        """Cells whose degree or fill-in the last elimination changed."""

    def _count_missing_links(self, cell: int) -> int:
        neighbours, missing = self.links[cell].keys(), 0
        for u in neighbours:
            checkpoint()
            # Every neighbour lacks the link to itself.
            missing += len(neighbours - self.links[u].keys()) - 1
        return missing // 2

    def min_degree_order(self, last: int = -1) -> Iterator[int]:
        """Yield the cell with the fewest neighbours; remove it before the next one."""
        return self._order(lambda cell: len(self.links[cell]), last)

    def min_fill_order(self, last: int = -1) -> Iterator[int]:
        """Yield the cell with the smallest fill-in; remove it before the next one."""
        return self._order(self.fill_in.__getitem__, last)

    def _order(self, cost: Callable[[int], int], last: int) -> Iterator[int]:
        """Yield all cells but the last one, each of minimum cost when it is yielded."""
        queue = [(cost(cell), cell) for cell in range(len(self.links))]
        heapify(queue)
        eliminated = {last}
        while queue:
            queued_cost, cell = heappop(queue)
            if cell in eliminated or queued_cost != cost(cell):
                continue
            self._changed.clear()
            checkpoint()
            yield cell
            eliminated.add(cell)
            for u in self._changed:
                heappush(queue, (cost(u), u))

    def missing_links(self, cells: list[int]) -> Iterator[tuple[int, int]]:
        """Yield the pairs of these cells that are not linked; they are usually few."""
        later_cells = set(cells)
        for u in cells:
            later_cells.discard(u)
            for w in sorted(later_cells.difference(self.links[u])):
                yield u, w

    def link(self, u: int, w: int) -> tuple[int, int]:
        """Create a link between two cells; return the numbers of the replaced and the new link.

        The first number is -1 if they were not linked.
        """
        links_u, links_w = self.links[u], self.links[w]
        checkpoint()
        replaced = links_u.get(w, -1)
        if replaced < 0:
            common = links_u.keys() & links_w.keys()
            for cell in common:
                self.fill_in[cell] -= 1
            self.fill_in[u] += len(links_u) - len(common)
            self.fill_in[w] += len(links_w) - len(common)
            self._changed |= common
        links_u[w] = links_w[u] = self.num_links
        self.num_links += 1
        return replaced, self.num_links - 1

    def remove(self, cell: int) -> None:
        """Remove a cell whose neighbours are all linked."""
        for u in self.links[cell]:
            self.fill_in[u] -= len(self.links[u]) - len(self.links[cell])
            del self.links[u][cell]
        self._changed |= self.links[cell].keys()


def elimination_neighbours(graph: EliminationGraph, order: Iterator[int]) -> KeyedSet:
    """Eliminate cells in this order; return the neighbours of each cell when it is eliminated."""
    keys, neighbours = array("q"), array("q")
    for cell in order:
        remaining = sorted(graph.links[cell])
        checkpoint(LINK_BYTES * len(remaining) ** 2 // 2)
        keys.extend([cell] * len(remaining))
        neighbours.extend(remaining)
        for u, w in graph.missing_links(remaining):
            graph.link(u, w)
        graph.remove(cell)
    columns = [np.array(neighbours, np.int64)]
    return KeyedSet.group(np.array(keys, np.int64), (len(graph.links),), columns)

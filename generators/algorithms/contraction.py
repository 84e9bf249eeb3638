"""`contraction(k)`: elimination of cells from an undirected tour, each contracted to links.

An eliminated cell leaves a link between every two of its neighbours, so that the tour still visits
the other cells. The cell of minimum fill-in is next, until three cells remain. Links are numbered:
the edges of the board, the edges from each cell to k additional cells, and then the new ones. Each
step (p, q, o, z) says that the links p and q of the eliminated cell become the link z between their
other ends, which replaces the link o; if there is none, o is the number of all links.
"""

from __future__ import annotations

from array import array
from itertools import combinations, islice

import numpy as np

from boardsat.base.errors import check_range
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.algorithms._elimination import EliminationGraph, board_edges
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet, TupleSet

NUM_REMAINING = 3  # three cells have one Hamiltonian cycle
STEP_BYTES = 100  # memory for each step


def compute(board: Board, k: int = 0) -> TupleSet:
    return contract(board, k)[0]


def contract(board: Board, k: int) -> tuple[TupleSet, KeyedSet]:
    """Return the steps, and the links of each cell at its elimination unless all are edges."""
    graph = _elimination_graph(board, k)
    num_edges = graph.num_links
    steps, keys, old_links = array("q"), array("q"), array("q")
    cells = len(graph.links)
    for cell in islice(graph.min_fill_order(), max(0, cells - NUM_REMAINING)):
        neighbours = sorted(graph.links[cell].items())
        numbers = graph.links[cell].values()
        if max(numbers, default=0) >= num_edges:
            keys.extend([cell] * len(numbers))
            old_links.extend(numbers)
        pairs = len(neighbours) * (len(neighbours) - 1) // 2
        checkpoint(STEP_BYTES * (len(steps) // 4 + pairs))
        for (u, p), (w, q) in combinations(neighbours, 2):
            steps.extend((p, q, *graph.link(u, w)))
        graph.remove(cell)
    columns = np.array(steps, np.int64).reshape(-1, 4).T
    columns[columns < 0] = graph.num_links
    links = KeyedSet.group(np.array(keys, np.int64), (cells,), [np.array(old_links, np.int64)])
    return TupleSet(tuple(columns)), links


def _elimination_graph(board: Board, k: int) -> EliminationGraph:
    """Return the graph of the board, with k additional cells that are linked to all cells."""
    check_range("k", k, 0, board.cells, f"for {pluralize(board.cells, 'cell')}")
    cells = board.cells + k
    edges = board_edges(board, k * cells)
    edges += [(i, j) for j in range(board.cells, cells) for i in range(j)]
    return EliminationGraph(cells, edges)

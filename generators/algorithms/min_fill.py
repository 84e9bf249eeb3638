"""`min_fill(s, k)`: neighbours of each cell at its elimination in minimum-fill order, s last.

With k = 1, s is first linked to every cell.
"""

from __future__ import annotations

from boardsat.generators.algorithms._elimination import (
    EliminationGraph,
    board_edges,
    elimination_neighbours,
)
from boardsat.generators.algorithms.distance import check_cell
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet


def compute(board: Board, start: int, is_universal: int = 0) -> KeyedSet:
    check_cell(board, start)
    edges = board_edges(board, board.cells)
    if is_universal:
        edges += [(start, cell) for cell in range(board.cells) if cell != start]
    graph = EliminationGraph(board.cells, edges)
    return elimination_neighbours(graph, graph.min_fill_order(last=start))

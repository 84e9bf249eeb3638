"""`min_degree(s)`: neighbours of each cell at its elimination in minimum-degree order, without s.

Cell s is removed first, without linking its neighbours.
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


def compute(board: Board, start: int) -> KeyedSet:
    check_cell(board, start)
    edges = [pair for pair in board_edges(board) if start not in pair]
    graph = EliminationGraph(board.cells, edges)
    return elimination_neighbours(graph, graph.min_degree_order(last=start))

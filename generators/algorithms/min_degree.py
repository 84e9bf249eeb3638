"""`min_degree(s)`: cells other than s eliminated, linking the neighbours of each.

The cell with the fewest neighbours goes next, and s is left out of the board from the beginning.
What is given is, for each cell that goes, the neighbours that it still has.
"""

from __future__ import annotations

from boardsat.generators.algorithms._elimination import Links, edges_of, later
from boardsat.generators.algorithms.distance import check_cell
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet


def compute(board: Board, start: int) -> KeyedSet:
    check_cell(board, start)
    links = Links(board.cells, [pair for pair in edges_of(board) if start not in pair])
    return later(links, links.cells(links.degree, keep=start))

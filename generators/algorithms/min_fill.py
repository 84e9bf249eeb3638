"""`min_fill(s, k)`: cells eliminated, linking the neighbours of each, until only s is left.

The cell whose neighbours lack the fewest links goes next. What is given is, for each cell that
goes, the neighbours that it still has. Where k is 1, s is linked to every cell.
"""

from __future__ import annotations

from boardsat.generators.algorithms._elimination import Links, edges_of, later
from boardsat.generators.algorithms.distance import check_cell
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet


def compute(board: Board, start: int, to_all: int = 0) -> KeyedSet:
    check_cell(board, start)
    pairs = edges_of(board, board.cells)
    if to_all:
        pairs += [(start, cell) for cell in range(board.cells) if cell != start]
    links = Links(board.cells, pairs)
    return later(links, links.cells(links.fill, keep=start))

"""`colour()`: two-colouring of the cells by 0 and 1, so that every move changes the colour."""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.algorithms.distance import breadth_first_search
from boardsat.generators.arrays import Ints
from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table

MOVE_BYTES = 40  # memory for each cell and each move


def compute(board: Board) -> Table:
    colours = two_colouring(board)
    if colours is None:
        raise InputError("the board must be bipartite", "try --set parity=false")
    return Table(colours)


def two_colouring(board: Board) -> Ints | None:
    """Return the colour of each cell; None if the board is not bipartite."""
    checkpoint(MOVE_BYTES * (board.cells + board.moves.size) * (2 if board.directed else 1))
    board = board.to_undirected()
    distance = np.full(board.cells, board.cells, np.int64)
    for start in range(board.cells):
        if distance[start] == board.cells:
            breadth_first_search(board, start, distance)
    colour = distance % 2
    origin, target = board.moves.columns
    return None if (colour[origin] == colour[target]).any() else colour

"""`colour()`: 0 or 1 for each cell so that every move changes it, as on a chessboard."""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.algorithms.distance import spread
from boardsat.generators.arrays import Ints
from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table


def compute(board: Board) -> Table:
    colours = colours_of(board)
    if colours is None:
        raise InputError(
            "this board has no two-colouring that every move changes", "leave the parity switch off"
        )
    return Table(colours)


def colours_of(board: Board) -> Ints | None:
    """The colour of each cell; None where there are no such two colours."""
    checkpoint(40 * (board.cells + board.moves.size) * (2 if board.directed else 1))
    board = board.to_undirected()
    distance = np.full(board.cells, board.cells, np.int64)
    for start in range(board.cells):
        if distance[start] == board.cells:
            spread(board, start, distance)
    colour = distance % 2
    origin, target = board.moves.columns
    return None if (colour[origin] == colour[target]).any() else colour

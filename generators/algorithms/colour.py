"""`colour()`: 0 or 1 for each cell so that every move changes it, as on a chessboard."""

from __future__ import annotations

import numpy as np

from boardsat.generators.algorithms.distance import spread
from boardsat.generators.boards import Board
from boardsat.generators.errors import InputError
from boardsat.generators.language.values import Table


def compute(board: Board) -> Table:
    distance = np.full(board.cells, board.cells, np.int64)
    for start in range(board.cells):
        if distance[start] == board.cells:
            spread(board, start, distance)
    colour = distance % 2
    origin, target = board.moves.columns
    if (colour[origin] == colour[target]).any():
        raise InputError(
            "this board has no two-colouring that every move changes", "leave the parity switch off"
        )
    return Table(colour)

"""`surplus(s)`: how many more cells have the colour of cell s than the other; 0 without colours."""

from __future__ import annotations

import numpy as np

from boardsat.generators.algorithms import colour
from boardsat.generators.algorithms.distance import check_cell
from boardsat.generators.boards import Board
from boardsat.generators.errors import InputError


def compute(board: Board, start: int) -> int:
    check_cell(board, start)
    try:
        colours = colour.compute(board).values
    except InputError:
        # Moves that change no colour do not tell anything.
        return 0
    own = int(np.count_nonzero(colours == colours[start]))
    return own - (board.cells - own)

"""`surplus(s)`: how many more cells have the colour of cell s than the other; 0 without colours.

From a cell outside the board every colour can be the first: how many more cells have the commoner.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.algorithms.colour import colours_of
from boardsat.generators.algorithms.distance import check_cell
from boardsat.generators.boards import Board


def compute(board: Board, start: int) -> int:
    check_cell(board, start)
    is_outside = board.outside > 0 and start == board.cells - 1
    if is_outside:
        board, start = board.without_outside(), 0
    colours = colours_of(board)
    if colours is None:
        # Moves that change no colour do not tell anything.
        return 0
    own = int(np.count_nonzero(colours == colours[start]))
    more = own - (board.cells - own)
    return abs(more) if is_outside else more

"""`surplus(s)`: how many more cells have the colour of cell s than the other; 0 without colours."""

from __future__ import annotations

import numpy as np

from boardsat.generators.algorithms.colour import colours_of
from boardsat.generators.algorithms.distance import check_cell
from boardsat.generators.boards import Board
from boardsat.generators.limits import WorkBudget


def compute(board: Board, budget: WorkBudget, start: int) -> int:
    check_cell(board, start)
    colours = colours_of(board, budget)
    if colours is None:
        # Moves that change no colour do not tell anything.
        return 0
    own = int(np.count_nonzero(colours == colours[start]))
    return own - (board.cells - own)

"""`surplus(s)`: number of cells with the colour of cell s, minus the others; 0 if not bipartite.

For the virtual start cell outside the board it is the size of the larger colour class minus that of
the smaller one.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.algorithms.colour import two_colouring
from boardsat.generators.algorithms.distance import check_cell
from boardsat.generators.boards import Board


def compute(board: Board, start: int) -> int:
    check_cell(board, start)
    is_outside = board.outside > 0 and start == board.cells - 1
    if is_outside:
        board, start = board.without_outside(), 0
    colours = two_colouring(board)
    if colours is None:
        return 0
    surplus = 2 * int(np.count_nonzero(colours == colours[start])) - board.cells
    return abs(surplus) if is_outside else surplus

"""`distance(s, k)`: the moves from cell s to each cell; the number of cells if unreachable.

Where k is 1, the moves from each cell to s: on a directed graph these may be others.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Ints, distinct, within
from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table

ARC = 40
"""Bytes to turn a move round."""


def compute(board: Board, start: int, back: int = 0) -> Table:
    check_cell(board, start)
    checkpoint(8 * board.cells)
    if back and board.directed:
        checkpoint(ARC * board.moves.size)
        board = board.reverse()
    distance = np.full(board.cells, board.cells, np.int64)
    spread(board, start, distance)
    return Table(distance)


def check_cell(board: Board, cell: int) -> None:
    if not 0 <= cell < board.cells:
        raise InputError(f"cell {cell} is off the board", f"its cells are 0..{board.cells - 1}")


def spread(board: Board, start: int, distance: Ints) -> None:
    """Fill in the distances of all cells that moves from `start` reach."""
    starts, (targets,) = board.neighbours.starts, board.neighbours.columns
    distance[start] = steps = 0
    reached = np.array([start])
    while len(reached):
        steps += 1
        counts = starts[reached + 1] - starts[reached]
        checkpoint()
        ahead = distinct(targets[np.repeat(starts[reached], counts) + within(counts)])
        reached = ahead[distance[ahead] == board.cells]
        distance[reached] = steps

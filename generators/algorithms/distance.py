"""`distance(s, k)`: number of moves from cell s to each cell; the number of cells if unreachable.

With k = 1, the number of moves from each cell to s, which can differ on a directed graph.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import check_range
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints, distinct, within
from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table

MOVE_BYTES = 40  # memory for the reverse of each move


def compute(board: Board, start: int, is_reverse: int = 0) -> Table:
    check_cell(board, start)
    checkpoint(8 * board.cells)
    if is_reverse and board.directed:
        checkpoint(MOVE_BYTES * board.moves.size)
        board = board.reverse()
    distance = np.full(board.cells, board.cells, np.int64)
    breadth_first_search(board, start, distance)
    return Table(distance)


def check_cell(board: Board, cell: int) -> None:
    """Raise InputError if the argument s of an algorithm is not a cell of the board."""
    check_range("s", cell, 0, board.cells - 1, f"for {pluralize(board.cells, 'cell')}")


def breadth_first_search(board: Board, start: int, distance: Ints) -> None:
    """Write the distances of all cells that are reachable from `start`."""
    starts, (targets,) = board.neighbours.starts, board.neighbours.columns
    distance[start] = steps = 0
    frontier = np.array([start])
    while len(frontier):
        steps += 1
        counts = starts[frontier + 1] - starts[frontier]
        checkpoint()
        reached = distinct(targets[np.repeat(starts[frontier], counts) + within(counts)])
        frontier = reached[distance[reached] == board.cells]
        distance[frontier] = steps

"""`turned(k)`: where each square is mapped by repeated rotations by k quarters.

Square i is at [i, t] after t such turns, for as many as bring it back. A tour
that a turn leads into itself has no square that stays where it is.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table

HALF = 2
"""Quarters of a turn."""


def compute(board: Board, quarters: int) -> Table:
    if quarters not in (1, HALF):
        raise InputError(f"a turn by {quarters} quarters", "turn by 1 or by 2")
    rows, cols = _sides(board)
    if quarters == 1 and rows != cols:
        raise InputError(
            f"a quarter turn does not fit a board of {rows} x {cols}",
            "turn by 180 degrees, or give as many rows as columns",
        )
    if rows % 2 == cols % 2 == 1:
        raise InputError(
            f"a turn leaves the middle of a board of {rows} x {cols} where it is",
            "give an even number of rows or columns",
        )
    checkpoint(200 * board.cells)
    squares = np.arange(board.cells).reshape(rows, cols)
    # Where the turned board has square i at a place, the turn brought it there.
    turns = [np.rot90(squares, -quarters * t).ravel() for t in range(4 // quarters)]
    return Table(np.argsort(np.stack(turns, axis=1), axis=0))


def _sides(board: Board) -> tuple[int, int]:
    if board.description["shape"] != "grid":
        raise InputError("only a grid can be turned", "choose `shape: grid`")
    return board.description["rows"], board.description["cols"]

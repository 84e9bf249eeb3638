"""`rotation_orbit(k)`: images of each square under repeated rotation by k * 90 degrees.

Entry [i, t] is the image of square i after t rotations, for as many as the order of the rotation. A
rotation with a fixed square is an error: a tour cannot be symmetric under it.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError, check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.language.values import Table

SQUARE_BYTES = 200  # memory for each square


def compute(board: Board, quarters: int) -> Table:
    check_range("k", quarters, 1, 2)
    if board.description["shape"] != "grid":
        raise InputError("the board must be a grid", "use `shape: grid`")
    rows, cols = board.description["rows"], board.description["cols"]
    if quarters == 1 and rows != cols:
        raise InputError(
            f"rows and cols must be equal for a rotation by 90 degrees (got {rows} x {cols})",
            f"rotate by 180 degrees, or try {cols} x {cols}",
        )
    if rows % 2 == cols % 2 == 1:
        raise InputError(
            f"rows or cols must be even (got {rows} x {cols}, whose middle square is fixed)",
            f"try {rows} x {cols + 1}" if quarters == 2 else f"try {rows + 1} x {cols + 1}",
        )
    checkpoint(SQUARE_BYTES * board.cells)
    squares = np.arange(board.cells).reshape(rows, cols)
    # The rotated array has square i at the place to which i is mapped.
    rotated = [np.rot90(squares, -quarters * t).ravel() for t in range(4 // quarters)]
    return Table(np.argsort(np.stack(rotated, axis=1), axis=0))

"""Triangle of squares, numbered row by row: row r has r + 1 of them.

Template of docs/adding-a-board.md: copy it to generators/boards/NAME.py.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.generators.arrays import Ints
from boardsat.generators.boards import Board, BoardSymmetry
from boardsat.generators.boards._layout import (
    LAYOUT_OPTIONS,
    Lattice,
    board_from,
    cells_by_line,
    parse_layout,
)
from boardsat.generators.boards._pieces import Leap, steps
from boardsat.generators.boards._symmetries import point_symmetries, signed_permutations
from boardsat.generators.language.values import Table

OPTIONS = {"side": int, **LAYOUT_OPTIONS}


class _Triangle(Lattice):
    """Squares by row and column, with the top at (0, 0)."""

    def steps(self, leaps: list[Leap]) -> Ints:
        return steps(leaps)


def build(side: int, **options: str) -> Board:
    """Return the board with these options of its `board` line."""
    if side < 1:
        raise InputError(f"`side` must be at least 1 (got {side})", "try 4")
    layout = parse_layout({"side": side}, side * (side + 1) // 2, 2, **options)
    points = _points(side)
    row, column = points[layout.place_of].T
    names = {"row": Table(row), "column": Table(column), "ranks": cells_by_line(row, side)}
    return board_from("triangle", layout, _Triangle(points, side - 1), names)


def symmetries(side: int) -> list[BoardSymmetry]:
    """Return the symmetries of the places, found from their coordinates in a plane."""
    return point_symmetries(2 * _points(side) - side + 1, signed_permutations(2))


def _points(side: int) -> Ints:
    row = np.repeat(np.arange(side), np.arange(1, side + 1))
    return np.column_stack([row, np.arange(len(row)) - row * (row + 1) // 2])

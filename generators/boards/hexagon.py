"""Hexagon of hexagonal cells, numbered row by row.

A leaper (a,b) moves a cells ahead, turns by 60 degrees, and moves b cells. Cells have axial
coordinates (r, q): r is the row, q the position along the row.
"""

from __future__ import annotations

from itertools import pairwise

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
from boardsat.generators.boards._pieces import Leap
from boardsat.generators.boards._symmetries import point_symmetries
from boardsat.generators.language.values import Table, Value

OPTIONS = {"side": int, **LAYOUT_OPTIONS}

_DIRECTIONS = np.array([(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)])
"""Steps to the six neighbours in cyclic order, with the first repeated at the end."""

_ROTATION, _REFLECTION = np.array([(1, 1), (-1, 0)]), np.array([(0, 1), (1, 0)])
_MATRICES = [
    np.linalg.matrix_power(_ROTATION, power) @ matrix
    for matrix in (np.eye(2, dtype=np.int64), _REFLECTION)
    for power in range(6)
]
"""Dihedral group of the hexagon in axial coordinates."""


class _Hexagon(Lattice):
    """Hexagon with its centre at the origin."""

    def steps(self, leaps: list[Leap]) -> Ints:
        offsets = {
            tuple((a * u + b * v).tolist())
            for leap in leaps
            for a, b in (leap, leap[::-1])
            for u, v in pairwise(_DIRECTIONS)
        }
        return np.array(sorted(offsets), np.int64).reshape(-1, 2)


def build(side: int, **options: str) -> Board:
    if side < 1:
        raise InputError(f"`side` must be at least 1 (got {side})", "try 4")
    layout = parse_layout({"side": side}, 3 * side * (side - 1) + 1, 2, **options)
    points = _points(side)
    row = points[layout.place_of, 0] + side - 1
    names: dict[str, Value] = {"row": Table(row), "ranks": cells_by_line(row, 2 * side - 1)}
    return board_from("hexagon", layout, _Hexagon(points, 2 * side - 2), names)


def symmetries(side: int) -> list[BoardSymmetry]:
    # Matrices in axial coordinates look diagonal, but the axes run through the middles of sides.
    symmetries = point_symmetries(_points(side), _MATRICES)
    return [s._replace(name=s.name.removeprefix("diagonal ")) for s in symmetries]


def _points(side: int) -> Ints:
    r, q = np.indices((2 * side - 1, 2 * side - 1)) - side + 1
    return np.argwhere(np.abs(r + q) < side) - side + 1

"""A hexagon of hexagonal cells, numbered row by row; a leaper goes a, turns by 60 degrees, goes b.

Cells have axial coordinates: their row r, and q along it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from boardsat.base.errors import InputError
from boardsat.generators.arrays import Bools, Ints, starts_of, within
from boardsat.generators.boards import Board, BoardSymmetry
from boardsat.generators.boards._layout import (
    LAYOUT_OPTIONS,
    Lattice,
    board_from,
    by_line,
    parse_layout,
)
from boardsat.generators.boards._pieces import Leap
from boardsat.generators.boards._symmetries import point_symmetries
from boardsat.generators.language.values import Table, Value

OPTIONS = {"side": int, **LAYOUT_OPTIONS}

_AROUND = np.array([(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)])
"""Steps (r, q) to the six neighbours in order, and to the first again."""

_ROTATION, _REFLECTION = np.array([(1, 1), (-1, 0)]), np.array([(0, 1), (1, 0)])
_MATRICES = [
    np.linalg.matrix_power(_ROTATION, power) @ flip
    for flip in (np.eye(2, dtype=np.int64), _REFLECTION)
    for power in range(6)
]
"""Rotations, and each with a reflection."""


@dataclass(frozen=True)
class _Hexagon(Lattice):
    """Hexagon with its centre at the origin, row by row from the top."""

    side: int

    def steps(self, leaps: list[Leap]) -> Ints:
        """Combine a leap along every two neighbouring directions, either of them first."""
        offsets = {
            tuple((a * u + b * v).tolist())
            for leap in leaps
            for a, b in (leap, leap[::-1])
            for u, v in pairwise(_AROUND)
        }
        return np.array(sorted(offsets), np.int64).reshape(-1, 2)

    def places(self, points: Ints) -> tuple[Ints, Bools]:
        row, along = points[..., 0] + self.side - 1, points[..., 1]
        inside = (row >= 0) & (row < 2 * self.side - 1)
        row = np.where(inside, row, 0)
        along = along - _leftmost(self.side)[row]
        inside &= (along >= 0) & (along < _lengths(self.side)[row])
        return starts_of(_lengths(self.side))[row] + along, inside


def _lengths(side: int) -> Ints:
    """Return the length of every row."""
    lengths: Ints = 2 * side - 1 - np.abs(np.arange(2 * side - 1) - side + 1)
    return lengths


def _leftmost(side: int) -> Ints:
    """Return the first coordinate q of every row: lower rows begin further left, to the middle."""
    return np.maximum(-side + 1, -np.arange(2 * side - 1))


def _hexagon(side: int) -> _Hexagon:
    row = np.repeat(np.arange(2 * side - 1), _lengths(side))
    along = within(_lengths(side)) + _leftmost(side)[row]
    return _Hexagon(np.column_stack([row - side + 1, along]), 2 * side - 2, side)


def build(side: int, **more: str) -> Board:
    if side < 1:
        raise InputError(f"a hexagon of side {side}", "give at least 1")
    layout = parse_layout({"side": side}, 3 * side * (side - 1) + 1, 2, **more)
    hexagon = _hexagon(side)
    row = hexagon.points[layout.place_of, 0] + side - 1
    names: dict[str, Value] = {"row": Table(row), "ranks": by_line(row, 2 * side - 1)}
    return board_from("hexagon", layout, hexagon, names)


def symmetries(side: int) -> list[BoardSymmetry]:
    # Matrices in axial coordinates look diagonal, but the axes run through the middles of sides.
    symmetries = point_symmetries(_hexagon(side).points, _MATRICES)
    return [s._replace(name=s.name.removeprefix("diagonal ")) for s in symmetries]

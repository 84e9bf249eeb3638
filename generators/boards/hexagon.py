"""A hexagon of hexagonal cells, numbered row by row; a leaper goes a, turns by 60 degrees, goes b.

A cell has axial coordinates: its row r, and q along it. Of the third, -q-r, nobody speaks here.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.boards import Board, BoardSymmetry
from boardsat.generators.boards._layout import (
    LAYOUT_OPTIONS,
    LEAP_BYTES,
    Geometry,
    Lines,
    board_from,
    by_line,
    parse_layout,
)
from boardsat.generators.boards._pieces import Attack, Leap
from boardsat.generators.boards._symmetries import point_symmetries
from boardsat.generators.language.values import Table

OPTIONS = {"side": int, **LAYOUT_OPTIONS}

_AROUND = np.array([(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)])
"""The steps (r, q) to the six neighbours in order, and to the first again."""

_SIXTH, _EXCHANGE = np.array([(1, 1), (-1, 0)]), np.array([(0, 1), (1, 0)])
_SIXTHS = [
    np.linalg.matrix_power(_SIXTH, power) @ flip
    for flip in (np.eye(2, dtype=np.int64), _EXCHANGE)
    for power in range(6)
]
"""Its turns, and each with a reflection."""


@dataclass(frozen=True)
class _Rows:
    """The rows from the top: their first places, where they begin and how long they are."""

    side: int

    @property
    def number(self) -> int:
        return 2 * self.side - 1

    @property
    def lengths(self) -> Ints:
        lengths: Ints = self.number - np.abs(np.arange(self.number) - self.side + 1)
        return lengths

    @property
    def first(self) -> Ints:
        return np.cumsum(self.lengths) - self.lengths

    @property
    def leftmost(self) -> Ints:
        """A row begins further left the further down it is, until the middle of the board."""
        return np.maximum(-self.side + 1, -np.arange(self.number))

    def points(self) -> Ints:
        """The coordinates of every place."""
        row = np.repeat(np.arange(self.number), self.lengths)
        along = np.arange(len(row)) - self.first[row] + self.leftmost[row]
        return np.column_stack([row - self.side + 1, along])

    def places(self, point: Ints) -> tuple[Ints, Bools]:
        """The numbers of points, and whether they are on the board."""
        row, along = point[..., 0] + self.side - 1, point[..., 1]
        inside = (row >= 0) & (row < self.number)
        row = np.where(inside, row, 0)
        along = along - self.leftmost[row]
        inside &= (along >= 0) & (along < self.lengths[row])
        return self.first[row] + along, inside


def build(side: int, **more: str) -> Board:
    if side < 1:
        raise InputError(f"a hexagon of side {side}", "give at least 1")
    layout = parse_layout({"side": side}, 3 * side * (side - 1) + 1, 2, **more)
    rows = _Rows(side)
    row = np.repeat(np.arange(rows.number), rows.lengths)[layout.place_of]
    geometry = Geometry(
        "hexagon",
        [list(leap) for leap in layout.leaps],
        _joined(rows, layout.leaps),
        {place: _lines(rows, place, attack) for place, attack in layout.attacks.items()},
        {"row": Table(row), "ranks": by_line(row, rows.number)},
    )
    return board_from(layout, geometry)


def symmetries(side: int) -> list[BoardSymmetry]:
    # Its diagonals are no other lines than those through the middles of its sides.
    found = point_symmetries(_Rows(side).points(), _SIXTHS)
    return [turn._replace(name=turn.name.removeprefix("diagonal ")) for turn in found]


def _joined(rows: _Rows, leaps: list[Leap]) -> tuple[Ints, Ints]:
    """All pairs of places that leaps join."""
    ways = _steps(leaps)
    at = rows.points()
    checkpoint(len(at) * len(ways) * LEAP_BYTES)
    target, inside = rows.places(at[:, None] + ways)
    return np.nonzero(inside)[0], target[inside]


def _lines(rows: _Rows, place: int, attack: Attack) -> Lines:
    origin = rows.points()[place]
    count = np.arange(1, 1 + attack.length(rows.number - 1))[:, None]
    reached = [rows.places(origin + count * step) for step in _steps(attack.leaps)]
    return [target[inside].tolist() for target, inside in reached]


def _steps(layout: list[Leap]) -> Ints:
    """A leap along every two neighbouring directions, either of them first."""
    found = {
        tuple((a * u + b * v).tolist())
        for leap in layout
        for a, b in (leap, leap[::-1])
        for u, v in pairwise(_AROUND)
    }
    return np.array(sorted(found), np.int64).reshape(-1, 2)

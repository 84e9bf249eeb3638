"""A sheet of squares whose sides may be glued: a rectangle, cylinder, torus and their like.

Such a surface is the plane folded up: a leaper moves in the plane, and folding tells which place of
the sheet it has come to. So a shape is its gluing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Bools, Ints, distinct
from boardsat.generators.boards import Board, Turn
from boardsat.generators.boards._leapers import Attack, Leap, steps
from boardsat.generators.boards._terrain import OPTIONS as TERRAIN_OPTIONS
from boardsat.generators.boards._terrain import (
    TARGET,
    WAY,
    Geometry,
    Lines,
    board_on,
    ground_of,
    square_names,
)
from boardsat.generators.boards._turns import NOTHING, different, square_turns, turn_name

MOST = 2**21
"""Shifts of a surface, times its places, that are looked through."""

OPTIONS = {"rows": int, "cols": int, **TERRAIN_OPTIONS}


@dataclass(frozen=True)
class Gluing:
    """Which sides of a rectangle are one."""

    left_and_right: bool = False
    upside_down: bool = False
    """Whether what leaves on the right comes in on the left upside down."""
    top_and_bottom: bool = False


@dataclass(frozen=True)
class _Sheet:
    rows: int
    cols: int
    gluing: Gluing

    def places(self, row: Ints, column: Ints) -> tuple[Ints, Bools]:
        """Where points of the plane are on the sheet, and whether they are on it."""
        if self.gluing.left_and_right:
            around, column = np.divmod(column, self.cols)
            if self.gluing.upside_down:
                row = np.where(around % 2, self.rows - 1 - row, row)
        if self.gluing.top_and_bottom:
            row = row % self.rows
        inside = (row >= 0) & (row < self.rows) & (column >= 0) & (column < self.cols)
        return row * self.cols + column, inside

    def joined(self, leaps: list[Leap]) -> tuple[Ints, Ints]:
        """All pairs of places that leaps join."""
        count = self.rows * self.cols
        ways = steps(leaps)
        checkpoint(count * len(ways) * WAY)
        row, column = np.divmod(np.arange(count), self.cols)
        target, inside = self.places(row[:, None] + ways[:, 0], column[:, None] + ways[:, 1])
        return np.nonzero(inside)[0], target[inside]

    def turns(self) -> list[Turn]:
        """Turns and reflections around its middle, with shifts along sides that are glued."""
        sides = np.array([self.rows, self.cols])
        # Upside down, it takes two rounds to be back.
        around = self.cols * (2 if self.gluing.upside_down else 1)
        down = range(self.rows if self.gluing.top_and_bottom else 1)
        right = range(around if self.gluing.left_and_right else 1)
        point = np.column_stack(np.divmod(np.arange(self.rows * self.cols), self.cols))
        if len(down) * len(right) * len(point) > MOST:
            fault = f"a board of {self.rows} x {self.cols} has too many shifts"
            raise InputError(fault, "use a smaller one, or one whose sides are not glued")
        found = []
        for matrix in square_turns(2):
            # Where sides of different length change places, the result is on no board.
            row, column = ((2 * point - sides + 1) @ matrix.T + (np.abs(matrix) @ sides) - 1).T // 2
            for rows, cols in product(down, right):
                image, inside = self.places(row + rows, column + cols)
                name = turn_name(matrix)
                if name == NOTHING and (rows or cols):
                    name = "shift"
                if inside.all():
                    found.append(Turn(name, image))
        return [turn for turn in different(found) if self._keeps_steps(turn.image)]

    def _keeps_steps(self, image: Ints) -> bool:
        """Whether squares that touch each other still do: it was a turn of the plane it was not."""
        for leap in ((0, 1), (1, 1)):
            origin, target = self.joined([leap])
            count = self.rows * self.cols
            before, after = origin * count + target, image[origin] * count + image[target]
            if not np.array_equal(distinct(before), distinct(after)):
                return False
        return True

    def lines(self, place: int, attack: Attack) -> Lines:
        # A line that does not leave the sheet is back where it began after this many steps.
        furthest = attack.length(2 * self.rows * self.cols)
        ways = steps(attack.leaps).tolist()
        checkpoint(len(ways) * furthest * TARGET)
        count = np.arange(1, 1 + furthest)
        row, column = divmod(place, self.cols)
        found: Lines = []
        for down, right in ways:
            target, inside = self.places(row + count * down, column + count * right)
            length = len(count) if inside.all() else int(np.argmin(inside))
            found.append(target[:length].tolist())
        return found


def sheet_turns(gluing: Gluing, rows: int, cols: int) -> list[Turn]:
    return _Sheet(rows, cols, gluing).turns()


def sheet(shape: str, gluing: Gluing, rows: int, cols: int, **more: str) -> Board:
    if rows < 1 or cols < 1:
        raise InputError(f"a board of {rows} x {cols}", "give at least one row and column")
    size = {"rows": rows, "cols": cols}
    wanted = ground_of(size, rows * cols, 2, **more)
    plane = _Sheet(rows, cols, gluing)
    geometry = Geometry(
        shape,
        steps(wanted.leaps).tolist(),
        plane.joined(wanted.leaps),
        {place: plane.lines(place, attack) for place, attack in wanted.attacks.items()},
        square_names(*np.divmod(wanted.place_of, cols), rows, cols),
    )
    return board_on(wanted, geometry)

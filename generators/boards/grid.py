"""Rectangle of squares, numbered row by row from the top left.

A rectangle with glued sides is another shape: a cylinder, torus, Moebius strip or Klein bottle.
Such a surface is a quotient of the plane: a leaper moves in the plane, and each point of the plane
is mapped to a place.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.generators.arrays import Bools, Ints, distinct
from boardsat.generators.boards import Board, BoardSymmetry
from boardsat.generators.boards._layout import (
    LAYOUT_OPTIONS,
    Lattice,
    board_from,
    parse_layout,
    square_names,
)
from boardsat.generators.boards._pieces import Leap, steps
from boardsat.generators.boards._symmetries import (
    IDENTITY,
    distinct_symmetries,
    signed_permutations,
    symmetry_name,
)

MAX_SHIFTED_PLACES = 2**21
"""Maximum product of the shifts and the places of a surface whose symmetries are computed."""

OPTIONS = {"rows": int, "cols": int, **LAYOUT_OPTIONS}


class Gluing(NamedTuple):
    """Sides of a rectangle that are identified."""

    left_and_right: bool = False
    upside_down: bool = False
    """True if the right side is glued to the left one upside down."""
    top_and_bottom: bool = False


@dataclass(frozen=True)
class _Sheet(Lattice):
    """Rectangle as a quotient of the plane."""

    rows: int
    cols: int
    gluing: Gluing

    def steps(self, leaps: list[Leap]) -> Ints:
        return steps(leaps)

    def places(self, points: Ints) -> tuple[Ints, Bools]:
        row, column = points[..., 0], points[..., 1]
        if self.gluing.left_and_right:
            around, column = np.divmod(column, self.cols)
            if self.gluing.upside_down:
                row = np.where(around % 2, self.rows - 1 - row, row)
        if self.gluing.top_and_bottom:
            row = row % self.rows
        inside = (row >= 0) & (row < self.rows) & (column >= 0) & (column < self.cols)
        return row * self.cols + column, inside

    def symmetries(self) -> list[BoardSymmetry]:
        """Return rotations and reflections about the centre, and shifts along glued sides."""
        sides = np.array([self.rows, self.cols])
        # If glued upside down, the shift by twice the width is the identity.
        around = self.cols * (2 if self.gluing.upside_down else 1)
        down = range(self.rows if self.gluing.top_and_bottom else 1)
        right = range(around if self.gluing.left_and_right else 1)
        if len(down) * len(right) * len(self.points) > MAX_SHIFTED_PLACES:
            fault = f"a board of {self.rows} x {self.cols} with glued sides has too many symmetries"
            raise InputError(fault, "use a smaller board, or shape=grid")
        symmetries = []
        for matrix in signed_permutations(2):
            # A matrix that exchanges sides of different lengths has images outside the board.
            centred = (2 * self.points - sides + 1) @ matrix.T
            moved = (centred + np.abs(matrix) @ sides - 1) // 2
            for shift in product(down, right):
                image, inside = self.places(moved + shift)
                name = symmetry_name(matrix)
                if name == IDENTITY and any(shift):
                    name = "shift"
                if inside.all():
                    symmetries.append(BoardSymmetry(name, image))
        return [s for s in distinct_symmetries(symmetries) if self._preserves_adjacency(s.image)]

    def _preserves_adjacency(self, image: Ints) -> bool:
        """Return True if adjacent squares are mapped to adjacent squares.

        A symmetry of the plane need not induce a symmetry of the surface.
        """
        for leap in ((0, 1), (1, 1)):
            origin, target = self.leap_pairs([leap])
            count = self.rows * self.cols
            pairs, image_pairs = origin * count + target, image[origin] * count + image[target]
            if not np.array_equal(distinct(pairs), distinct(image_pairs)):
                return False
        return True


class SheetShape:
    """Board shape of a rectangle with a gluing; its methods are the functions of a shape."""

    def __init__(self, name: str, gluing: Gluing) -> None:
        self.name, self.gluing = name, gluing

    def build(self, rows: int, cols: int, **options: str) -> Board:
        if rows < 1 or cols < 1:
            raise InputError(
                f"`rows` and `cols` must be at least 1 (got {rows} and {cols})", "try 8 x 8"
            )
        layout = parse_layout({"rows": rows, "cols": cols}, rows * cols, 2, **options)
        names = square_names(*np.divmod(layout.place_of, cols), rows, cols)
        moves = steps(layout.leaps).tolist()
        return board_from(self.name, layout, self._sheet(rows, cols), names, moves)

    def symmetries(self, rows: int, cols: int) -> list[BoardSymmetry]:
        return self._sheet(rows, cols).symmetries()

    def _sheet(self, rows: int, cols: int) -> _Sheet:
        points = np.column_stack(np.divmod(np.arange(rows * cols), cols))
        # A line that stays on the sheet is periodic, with at most this many steps.
        return _Sheet(points, 2 * rows * cols, rows, cols, self.gluing)


_shape = SheetShape("grid", Gluing())
build, symmetries = _shape.build, _shape.symmetries

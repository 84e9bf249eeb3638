"""Grid: a rectangle of squares, numbered row by row; and sheets, which have glued sides.

A sheet is a quotient of the plane: a piece that leaves it moves onto a copy of it. The shape
determines whether copies lie below it, whether they lie to its right, and which are upside down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property
from itertools import permutations, product
from typing import ClassVar, Self, TypeVar

from boardsat.adapters.boards._board import (
    LatticeBoard,
    Leap,
    Pieces,
    Point,
    Seam,
    leaps_of,
    pieces_of,
)
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header
from boardsat.base.dataclass import dataclass

_NUM_LETTERS = 26

Value = TypeVar("Value")

STUB_LENGTH = 0.4
"""Length of a move's stub beyond a glued side, in sides of a tile."""

Step = tuple[int, int]
"""Rows down and columns to the right."""


@dataclass(frozen=True)
class Sheet(LatticeBoard):
    """Base class of rectangles of squares, some of whose sides are glued."""

    rows: int
    cols: int
    leaps: frozenset[Leap]
    pieces: Pieces = field(default_factory=Pieces)

    rows_glued: ClassVar[bool] = False
    """True if top and bottom are glued."""
    cols_glued: ClassVar[bool] = False
    """True if left and right are glued."""
    twisted: ClassVar[bool] = False
    """True if the right side is glued upside down."""

    @classmethod
    def read(cls, header: Header) -> Self:
        """Return the board that the header of a file describes."""
        options = header.board.options
        rows, cols = header_values.side_lengths(options, header.board.max_cells, "rows", "cols")
        return cls(rows, cols, leaps_of(header), pieces_of(options, rows * cols))

    @property
    def num_tiles(self) -> int:
        return self.rows * self.cols

    @property
    def title(self) -> str:
        return f"a {type(self).__name__.lower()} of {self.rows}x{self.cols}"

    def tile_name(self, tile: int) -> str:
        return f"({tile // self.cols}, {tile % self.cols})"

    @cached_property
    def _plane(self) -> dict[Step, tuple[int, bool]]:
        """Tile at each point of one period of the plane, with True if the tile is upside down."""
        copies = product(range(2 if self.rows_glued else 1), range(3 if self.cols_glued else 1))
        plane = {}
        for i, j in copies:
            upside_down = self.twisted and j == 1
            for tile in range(self.num_tiles):
                row, column = divmod(tile, self.cols)
                row = self.rows - 1 - row if upside_down else row
                plane[i * self.rows + row, j * self.cols + column] = (tile, upside_down)
        return plane

    def steps_of(self, leap: Leap) -> set[Step]:
        signs = [*product((1, -1), repeat=2)]
        return {(s * a, t * b) for a, b in permutations(leap) for s, t in signs}

    def step_from(self, tile: int, step: Step) -> tuple[int, Step] | None:
        # The plane repeats after one sheet downwards, and after two to the right, where the
        # twists have cancelled.
        down = step[0] % self.rows if self.rows_glued else step[0]
        right = step[1] % (2 * self.cols) if self.cols_glued else step[1]
        target = self._plane.get((tile // self.cols + down, tile % self.cols + right))
        return target and (target[0], (-step[0], step[1]) if target[1] else step)

    # Drawing.

    def sections(self) -> list[list[list[int]]]:
        return [[[r * self.cols + c for c in range(self.cols)] for r in range(self.rows)]]

    def middle(self, tile: int) -> Point:
        return tile % self.cols + 0.5, tile // self.cols + 0.5

    def seams(self) -> list[Seam]:
        seams = []
        if self.cols_glued:
            top, bottom = (self.cols, 0), (self.cols, self.rows)
            seams += [Seam("a", (0, self.rows), (0, 0), (-1, 0))]
            seams += [Seam("a", *((top, bottom) if self.twisted else (bottom, top)), (1, 0))]
        if self.rows_glued:
            seams += [Seam("b", (0, 0), (self.cols, 0), (0, -1))]
            seams += [Seam("b", (0, self.rows), (self.cols, self.rows), (0, 1))]
        return seams

    def strokes(self, a: int, b: int) -> list[list[Point]]:
        straight = super().strokes(a, b)
        crossings = []
        for leap in self.leaps:
            for step in self.steps_of(leap):
                end = self.step_from(a, step)
                if end and end[0] == b:
                    if (a // self.cols + step[0], a % self.cols + step[1]) == divmod(b, self.cols):
                        return straight
                    back = (-end[1][0], -end[1][1])
                    crossings.append([self._stub(a, step), self._stub(b, back)])
        return crossings[0] if crossings else straight

    def _stub(self, tile: int, step: Step) -> list[Point]:
        """Return the line from a tile along a step that ends slightly beyond the sheet."""
        (x, y), (down, right) = self.middle(tile), step
        shares = [1.0]
        for start, length, extent in ((x, right, self.cols), (y, down, self.rows)):
            if length:
                end = extent + STUB_LENGTH if length > 0 else -STUB_LENGTH
                shares.append((end - start) / length)
        share = min(shares)
        return [(x, y), (x + share * right, y + share * down)]


class Grid(Sheet):
    """Rectangle without glued sides."""

    def is_move(self, a: int, b: int) -> bool:
        (r, c), (s, d) = (divmod(self.tile_of(cell), self.cols) for cell in (a, b))
        return tuple(sorted((abs(r - s), abs(c - d)))) in self.leaps

    @property
    def title(self) -> str:
        return f"{self.rows}x{self.cols}"

    def file(self, column: int) -> str:
        """Return the name of a column in chess: a to z, then aa and so on."""
        prefix = self.file(column // _NUM_LETTERS - 1) if column >= _NUM_LETTERS else ""
        return prefix + chr(ord("a") + column % _NUM_LETTERS)

    def tile_name(self, tile: int) -> str:
        """Return the name of a tile: chess notation if a piece moves, otherwise row and column."""
        return self.square_name(tile) if self.leaps else super().tile_name(tile)

    def square_name(self, tile: int) -> str:
        """Return the name of a tile in chess notation: e4."""
        row, column = divmod(tile, self.cols)
        return f"{self.file(column)}{self.rows - row}"

    def rows_and_columns(
        self, values: Sequence[Value]
    ) -> tuple[list[list[Value]], list[list[Value]]]:
        """Return the values of cells by rows and by columns; the board has no holes."""
        starts = range(0, len(values), self.cols)
        rows = [[*values[start : start + self.cols]] for start in starts]
        return rows, [[*values[column :: self.cols]] for column in range(self.cols)]

    def rotate(self, cell: int, degrees: int) -> int:
        """Return the image of a cell under a clockwise rotation of the board.

        Degrees are a multiple of 180, or of 90 if the board is square.
        """
        row, column = divmod(self.tile_of(cell), self.cols)
        if degrees % 360 >= 180:
            row, column = self.rows - 1 - row, self.cols - 1 - column
        if degrees % 180:
            row, column = column, self.rows - 1 - row
        return self.cell_at(row * self.cols + column)

    def step_from(self, tile: int, step: Step) -> tuple[int, Step] | None:
        row, column = tile // self.cols + step[0], tile % self.cols + step[1]
        is_inside = 0 <= row < self.rows and 0 <= column < self.cols
        return (row * self.cols + column, step) if is_inside else None


read = Grid.read

"""Grid: a rectangle of squares, numbered row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from boardsat.adapters.boards._sheets import Sheet, Step

_NUM_LETTERS = 26

Value = TypeVar("Value")


class Grid(Sheet):
    """Rectangle without glued sides, on which coordinates determine whether a move exists."""

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
        """Return the name in chess notation if pieces move, otherwise row and column."""
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

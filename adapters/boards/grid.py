"""A rectangle of squares, numbered row by row."""

from __future__ import annotations

from boardsat.adapters.boards._sheets import Sheet, Step
from boardsat.adapters.dimacs.header import Header

_LETTERS = 26


class Grid(Sheet):
    """The plain sheet: here a difference of coordinates tells a move."""

    def is_move(self, a: int, b: int) -> bool:
        (r, c), (s, d) = (divmod(self.place(cell), self.cols) for cell in (a, b))
        return tuple(sorted((abs(r - s), abs(c - d)))) in self.leaps

    @property
    def title(self) -> str:
        return f"{self.rows}x{self.cols}"

    def file(self, column: int) -> str:
        """The name of a column in chess: a to z, then aa and so on."""
        before = self.file(column // _LETTERS - 1) if column >= _LETTERS else ""
        return before + chr(ord("a") + column % _LETTERS)

    def place_name(self, place: int) -> str:
        """As chess players say it, where pieces move; otherwise row and column."""
        return self.square(place) if self.leaps else super().place_name(place)

    def square(self, place: int) -> str:
        """As chess players say it, whatever the board is for: so people name squares."""
        row, column = divmod(place, self.cols)
        return f"{self.file(column)}{self.rows - row}"

    def turned(self, cell: int, degrees: int) -> int:
        """Where a square comes to when the board is turned to the right, by 90 if it is square."""
        row, column = divmod(self.place(cell), self.cols)
        if degrees % 360 >= 180:
            row, column = self.rows - 1 - row, self.cols - 1 - column
        if degrees % 180:
            row, column = column, self.rows - 1 - row
        return self.cell_at(row * self.cols + column)

    def _step(self, place: int, step: Step) -> tuple[int, bool] | None:
        row, column = place // self.cols + step[0], place % self.cols + step[1]
        inside = 0 <= row < self.rows and 0 <= column < self.cols
        return (row * self.cols + column, False) if inside else None


def read(header: Header) -> Grid:
    return Grid.read(header)

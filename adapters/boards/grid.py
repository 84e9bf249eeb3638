"""A rectangle of squares, numbered row by row."""

from __future__ import annotations

from adapters.header import Header
from adapters.pieces import leaps_of, pieces_of
from adapters.sheets import Sheet, Step


class Grid(Sheet):
    """The plain sheet: here a difference of coordinates tells a move."""

    def is_move(self, a: int, b: int) -> bool:
        (r, c), (s, d) = (divmod(self.place(cell), self.cols) for cell in (a, b))
        return tuple(sorted((abs(r - s), abs(c - d)))) in self.leaps

    def _step(self, place: int, step: Step) -> tuple[int, bool] | None:
        row, column = place // self.cols + step[0], place % self.cols + step[1]
        inside = 0 <= row < self.rows and 0 <= column < self.cols
        return (row * self.cols + column, False) if inside else None


def read(header: Header) -> Grid:
    about = header.board
    return Grid(about["rows"], about["cols"], leaps_of(about), pieces_of(about))

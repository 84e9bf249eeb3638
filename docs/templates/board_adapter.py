"""A triangle of squares: row r has r + 1 of them; numbered row by row.

Template of docs/adding-a-board.md: copy it to adapters/boards/NAME.py. It shares no code with the
generator, whose boards it checks and draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from boardsat.adapters.boards._pieces import STRAIGHT, Leap, Pieces, leaps_of, pieces_of
from boardsat.adapters.boards._tiles import Point, Tiles
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header


@dataclass(frozen=True)
class Triangle(Tiles):
    side: int
    leaps: frozenset[Leap]
    pieces: Pieces = field(default_factory=Pieces)

    @property
    def places(self) -> int:
        return sum(range(self.side + 1))

    def _at(self, place: int) -> tuple[int, int]:
        row = 0
        while place > row:
            place, row = place - row - 1, row + 1
        return row, place

    def _number(self, row: int, column: int) -> int | None:
        return sum(range(row + 1)) + column if 0 <= column <= row < self.side else None

    def reach(self, place: int, leap: Leap) -> Iterator[int]:
        row, column = self._at(place)
        for down, right in _signed(leap):
            if (there := self._number(row + down, column + right)) is not None:
                yield there

    def lines(self, place: int, kind: str) -> Iterator[Iterator[int]]:
        for step in _signed((0, 1) if kind == STRAIGHT else (1, 1)):
            yield self._line(place, step)

    def _line(self, place: int, step: tuple[int, int]) -> Iterator[int]:
        row, column = self._at(place)
        while (there := self._number(row := row + step[0], column := column + step[1])) is not None:
            yield there

    @property
    def title(self) -> str:
        return f"a triangle with a side of {self.side}"

    def place_name(self, place: int) -> str:
        return str(self._at(place))

    # Drawing.

    def sections(self) -> list[list[list[int]]]:
        places = iter(range(self.places))
        return [[[next(places) for _ in range(row + 1)] for row in range(self.side)]]

    def middle(self, place: int) -> Point:
        row, column = self._at(place)
        return column + 0.5, row + 0.5


def _signed(leap: Leap) -> set[tuple[int, int]]:
    a, b = leap
    return {(s * x, t * y) for x, y in ((a, b), (b, a)) for s, t in product((1, -1), repeat=2)}


def read(header: Header) -> Triangle:
    """Return the board that the header of a file describes."""
    about = header.board.options
    side, _ = header_values.extents(about, header.board.max_cells, "side", "side")
    return Triangle(side, leaps_of(header), pieces_of(about, side * (side + 1) // 2))

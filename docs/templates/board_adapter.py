"""Triangle of squares, numbered row by row: row r has r + 1 of them.

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
    """Triangle with `side` squares along each side."""

    side: int
    leaps: frozenset[Leap]
    pieces: Pieces = field(default_factory=Pieces)

    @property
    def num_tiles(self) -> int:
        return sum(range(self.side + 1))

    def _coordinates(self, tile: int) -> tuple[int, int]:
        row, column = 0, tile
        while column > row:
            row, column = row + 1, column - row - 1
        return row, column

    def _tile_at(self, row: int, column: int) -> int | None:
        return sum(range(row + 1)) + column if 0 <= column <= row < self.side else None

    def reach(self, tile: int, leap: Leap) -> Iterator[int]:
        row, column = self._coordinates(tile)
        for down, right in _steps_of(leap):
            if (target := self._tile_at(row + down, column + right)) is not None:
                yield target

    def lines(self, tile: int, kind: str) -> Iterator[Iterator[int]]:
        for step in _steps_of((0, 1) if kind == STRAIGHT else (1, 1)):
            yield self._line(tile, step)

    def _line(self, tile: int, step: tuple[int, int]) -> Iterator[int]:
        row, column = self._coordinates(tile)
        while (target := self._tile_at(row + step[0], column + step[1])) is not None:
            row, column = row + step[0], column + step[1]
            yield target

    @property
    def title(self) -> str:
        return f"a triangle with a side of {self.side}"

    def tile_name(self, tile: int) -> str:
        return str(self._coordinates(tile))

    # Drawing.

    def sections(self) -> list[list[list[int]]]:
        tiles = iter(range(self.num_tiles))
        return [[[next(tiles) for _ in range(row + 1)] for row in range(self.side)]]

    def middle(self, tile: int) -> Point:
        row, column = self._coordinates(tile)
        return column + 0.5, row + 0.5


def _steps_of(leap: Leap) -> set[tuple[int, int]]:
    """Return all steps of a leap, down and to the right."""
    a, b = leap
    return {(s * x, t * y) for x, y in ((a, b), (b, a)) for s, t in product((1, -1), repeat=2)}


def read(header: Header) -> Triangle:
    """Return the board that the header of a file describes."""
    options = header.board.options
    side, _ = header_values.side_lengths(options, header.board.max_cells, "side", "side")
    return Triangle(side, leaps_of(header), pieces_of(options, side * (side + 1) // 2))

"""Triangle of squares, numbered row by row: row r has r + 1 of them.

Template of docs/adding-a-board.md: copy it to adapters/boards/NAME.py. It shares no code with the
generator, whose boards it checks and draws.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

from boardsat.adapters.boards._board import LatticeBoard, Leap, Pieces, Point, leaps_of, pieces_of
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header

Step = tuple[int, int]
"""Rows down and columns to the right."""


@dataclass(frozen=True)
class Triangle(LatticeBoard):
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

    def steps_of(self, leap: Leap) -> set[Step]:
        a, b = leap
        return {(s * x, t * y) for x, y in ((a, b), (b, a)) for s, t in product((1, -1), repeat=2)}

    def step_from(self, tile: int, step: Step) -> tuple[int, Step] | None:
        row, column = (a + b for a, b in zip(self._coordinates(tile), step, strict=True))
        is_inside = 0 <= column <= row < self.side
        return (sum(range(row + 1)) + column, step) if is_inside else None

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


def read(header: Header) -> Triangle:
    """Return the board that the header of a file describes."""
    options = header.board.options
    side, _ = header_values.side_lengths(options, header.board.max_cells, "side", "side")
    return Triangle(side, leaps_of(header), pieces_of(options, side * (side + 1) // 2))

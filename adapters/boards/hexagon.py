"""Hexagon of hexagonal cells, numbered row by row.

A cell is a point with three coordinates whose sum is 0. A leap of a in one direction and b in the
next changes them by a, b and -(a + b) in some order, or by the negative of these.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

from boardsat.adapters.boards._board import LatticeBoard, Leap, Pieces, Point, leaps_of, pieces_of
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header

Triple = tuple[int, int, int]

ROW_HEIGHT = math.sqrt(3) / 2
"""Distance between rows, in distances of neighbours."""


@dataclass(frozen=True)
class Hexagon(LatticeBoard):
    """Hexagon with `side` cells along each side."""

    side: int
    leaps: frozenset[Leap]
    pieces: Pieces = field(default_factory=Pieces)

    @cached_property
    def _points(self) -> list[Triple]:
        """Coordinates of all tiles: row by row, along a row by the second coordinate."""
        coordinates = range(-self.side + 1, self.side)
        return [(z, x, -x - z) for z in coordinates for x in coordinates if abs(x + z) < self.side]

    @cached_property
    def _tile_at(self) -> dict[Triple, int]:
        return {point: tile for tile, point in enumerate(self._points)}

    @property
    def num_tiles(self) -> int:
        return len(self._points)

    def steps_of(self, leap: Leap) -> set[Triple]:
        a, b = leap
        return {
            (sign * x, sign * y, sign * z)
            for x, y, z in permutations((a, b, -a - b))
            for sign in (1, -1)
        }

    def step_from(self, tile: int, step: Triple) -> tuple[int, Triple] | None:
        (x, y, z), (a, b, c) = self._points[tile], step
        target = self._tile_at.get((x + a, y + b, z + c))
        return None if target is None else (target, step)

    def _row(self, tile: int) -> int:
        return self._points[tile][0] + self.side - 1

    @property
    def title(self) -> str:
        return f"a hexagon with a side of {self.side}"

    def tile_name(self, tile: int) -> str:
        row = self._row(tile)
        return f"({row}, {tile - self.sections()[0][row][0]})"

    # Drawing.

    def sections(self) -> list[list[list[int]]]:
        rows: list[list[int]] = [[] for _ in range(2 * self.side - 1)]
        for tile in range(self.num_tiles):
            rows[self._row(tile)].append(tile)
        return [rows]

    def middle(self, tile: int) -> Point:
        down, along, _ = self._points[tile]
        return along + down / 2 + self.side - 0.5, (down + self.side - 1) * ROW_HEIGHT + 0.6

    def slot(self, tile: int) -> tuple[int, int]:
        return self._row(tile), super().slot(tile)[1]

    def corners(self, tile: int) -> list[Point]:
        x, y = self.middle(tile)
        angles = [math.pi * (2 * k + 1) / 6 for k in range(6)]
        radius = 1 / math.sqrt(3)
        return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]

    def shade(self, tile: int) -> int:
        down, along, _ = self._points[tile]
        return (along - down) % 3


def read(header: Header) -> Hexagon:
    options = header.board.options
    side, _ = header_values.side_lengths(options, header.board.max_cells, "side", "side")
    return Hexagon(side, leaps_of(header), pieces_of(options, 3 * side * (side - 1) + 1))

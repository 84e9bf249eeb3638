"""A hexagon of hexagonal cells, numbered row by row.

A cell is a point with three coordinates that add up to 0. A leap of a in one direction and b in the
next changes them by a, b and a + b in some order, one of the signs being different.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

from boardsat.adapters.boards._pieces import STRAIGHT, Leap, Pieces, leaps_of, pieces_of
from boardsat.adapters.boards._tiles import Point, Tiles
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header

Triple = tuple[int, int, int]

RISE = math.sqrt(3) / 2
"""From row to row, in distances of neighbours."""


@dataclass(frozen=True)
class Hexagon(Tiles):
    side: int
    leaps: frozenset[Leap]
    pieces: Pieces = field(default_factory=Pieces)

    @cached_property
    def _at(self) -> list[Triple]:
        """The points of all places: row by row, along a row by the second coordinate."""
        far = range(-self.side + 1, self.side)
        return [(z, x, -x - z) for z in far for x in far if abs(x + z) < self.side]

    @cached_property
    def _place(self) -> dict[Triple, int]:
        return {point: place for place, point in enumerate(self._at)}

    @property
    def places(self) -> int:
        return len(self._at)

    def reach(self, place: int, leap: Leap) -> Iterator[int]:
        for step in _ways(leap):
            if (there := self._walk(place, step)) is not None:
                yield there

    def _walk(self, place: int, step: Triple) -> int | None:
        (x, y, z), (a, b, c) = self._at[place], step
        return self._place.get((x + a, y + b, z + c))

    def lines(self, place: int, kind: str) -> Iterator[Iterator[int]]:
        for step in _ways((0, 1) if kind == STRAIGHT else (1, 1)):
            yield self._line(place, step)

    def _line(self, place: int, step: Triple) -> Iterator[int]:
        while (there := self._walk(place, step)) is not None:
            place = there
            yield place

    def _row(self, place: int) -> int:
        return self._at[place][0] + self.side - 1

    @property
    def title(self) -> str:
        return f"a hexagon with a side of {self.side}"

    def place_name(self, place: int) -> str:
        row = self._row(place)
        return f"({row}, {place - self.sections()[0][row][0]})"

    # Drawing.

    def sections(self) -> list[list[list[int]]]:
        rows: list[list[int]] = [[] for _ in range(2 * self.side - 1)]
        for place in range(self.places):
            rows[self._row(place)].append(place)
        return [rows]

    def middle(self, place: int) -> Point:
        down, along, _ = self._at[place]
        return along + down / 2 + self.side - 0.5, (down + self.side - 1) * RISE + 0.6

    def slot(self, place: int) -> tuple[int, int]:
        return self._row(place), super().slot(place)[1]

    def corners(self, place: int) -> list[Point]:
        x, y = self.middle(place)
        turns = [math.pi * (2 * k + 1) / 6 for k in range(6)]
        radius = 1 / math.sqrt(3)
        return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]

    def shade(self, place: int) -> int:
        down, along, _ = self._at[place]
        return (along - down) % 3


def _ways(leap: Leap) -> set[Triple]:
    a, b = leap
    return {
        (sign * x, sign * y, sign * z)
        for x, y, z in permutations((a, b, -a - b))
        for sign in (1, -1)
    }


def read(header: Header) -> Hexagon:
    about = header.board.options
    side, _ = header_values.extents(about, header.board.max_cells, "side", "side")
    return Hexagon(side, leaps_of(header), pieces_of(about, 3 * side * (side - 1) + 1))

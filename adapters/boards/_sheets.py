"""A sheet of squares with glued sides, as copies of it that tile the plane.

Whoever leaves the sheet steps onto a copy of it. A shape says which copies there are: how many
sheets down and right, and whether a copy stands upside down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from itertools import permutations, product
from typing import ClassVar, Self

from boardsat.adapters.boards._pieces import STRAIGHT, Leap, Pieces, leaps_of, pieces_of
from boardsat.adapters.boards._tiles import Point, Seam, Tiles
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header
from boardsat.base.dataclass import dataclass

MARGIN = 0.4
"""How far a line runs on beyond a glued side."""

Step = tuple[int, int]


@dataclass(frozen=True)
class Sheet(Tiles):
    rows: int
    cols: int
    leaps: frozenset[Leap]
    pieces: Pieces = field(default_factory=Pieces)

    rows_glued: ClassVar[bool] = False
    """Whether top and bottom are glued."""
    cols_glued: ClassVar[bool] = False
    """Whether left and right are glued."""
    twisted: ClassVar[bool] = False
    """Whether the right side is glued upside down."""

    @classmethod
    def read(cls, header: Header) -> Self:
        """As the header of a file describes it."""
        about = header.board.options
        rows, cols = header_values.extents(about, header.board.max_cells, "rows", "cols")
        return cls(rows, cols, leaps_of(header), pieces_of(about, rows * cols))

    @property
    def places(self) -> int:
        return self.rows * self.cols

    @property
    def title(self) -> str:
        return f"a {type(self).__name__.lower()} of {self.rows}x{self.cols}"

    def place_name(self, place: int) -> str:
        return f"({place // self.cols}, {place % self.cols})"

    @cached_property
    def _plane(self) -> dict[Step, tuple[int, bool]]:
        """What is where in the plane: a place, and if upside down; as far as it is not the same."""
        copies = product(range(2 if self.rows_glued else 1), range(3 if self.cols_glued else 1))
        plane = {}
        for i, j in copies:
            upside_down = self.twisted and j == 1
            for place in range(self.places):
                row, column = divmod(place, self.cols)
                row = self.rows - 1 - row if upside_down else row
                plane[i * self.rows + row, j * self.cols + column] = (place, upside_down)
        return plane

    def _step(self, place: int, step: Step) -> tuple[int, bool] | None:
        """Where a step leads, and whether one is upside down there; None beyond the sheet."""
        # All comes again a sheet further down, and two further right, where twists have cancelled.
        down = step[0] % self.rows if self.rows_glued else step[0]
        right = step[1] % (2 * self.cols) if self.cols_glued else step[1]
        return self._plane.get((place // self.cols + down, place % self.cols + right))

    def reach(self, place: int, leap: Leap) -> Iterator[int]:
        for step in steps_of(leap):
            if there := self._step(place, step):
                yield there[0]

    def lines(self, place: int, kind: str) -> Iterator[Iterator[int]]:
        for step in steps_of((0, 1) if kind == STRAIGHT else (1, 1)):
            yield self._line(place, step)

    def _line(self, place: int, step: Step) -> Iterator[int]:
        start = place
        while there := self._step(place, step):
            place, upside_down = there
            step = (-step[0], step[1]) if upside_down else step
            yield place
            if place == start:
                return

    # Drawing.

    def sections(self) -> list[list[list[int]]]:
        return [[[r * self.cols + c for c in range(self.cols)] for r in range(self.rows)]]

    def middle(self, place: int) -> Point:
        return place % self.cols + 0.5, place // self.cols + 0.5

    def seams(self) -> list[Seam]:
        found = []
        if self.cols_glued:
            top, bottom = (self.cols, 0), (self.cols, self.rows)
            found += [Seam("a", (0, self.rows), (0, 0), (-1, 0))]
            found += [Seam("a", *((top, bottom) if self.twisted else (bottom, top)), (1, 0))]
        if self.rows_glued:
            found += [Seam("b", (0, 0), (self.cols, 0), (0, -1))]
            found += [Seam("b", (0, self.rows), (self.cols, self.rows), (0, 1))]
        return found

    def strokes(self, a: int, b: int) -> list[list[Point]]:
        straight = super().strokes(a, b)
        crossing = []
        for leap in self.leaps:
            for step in steps_of(leap):
                there = self._step(a, step)
                if there and there[0] == b:
                    if (a // self.cols + step[0], a % self.cols + step[1]) == divmod(b, self.cols):
                        return straight
                    back = (step[0] if there[1] else -step[0], -step[1])
                    crossing.append([self._stub(a, step), self._stub(b, back)])
        return crossing[0] if crossing else straight

    def _stub(self, place: int, step: Step) -> list[Point]:
        """From a place along a step until a little beyond the side of the sheet."""
        (x, y), (down, right) = self.middle(place), step
        ends = [1.0]
        for at, way, extent in ((x, right, self.cols), (y, down, self.rows)):
            if way:
                ends.append(((extent + MARGIN if way > 0 else -MARGIN) - at) / way)
        end = min(ends)
        return [(x, y), (x + end * right, y + end * down)]


def steps_of(leap: Leap) -> set[Step]:
    """All steps of a leap along the rows and columns."""
    return {(s * a, t * b) for a, b in permutations(leap) for s, t in product((1, -1), repeat=2)}

"""Sheet of squares with glued sides, represented as a quotient of the plane.

A piece that leaves the sheet moves onto a copy of it. The shape determines which copies there are,
down and to the right, and which of them are upside down.
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

STUB_LENGTH = 0.4
"""Length of a move's stub beyond a glued side, in sides of a tile."""

Step = tuple[int, int]


@dataclass(frozen=True)
class Sheet(Tiles):
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
        """Tile at each point of a period of the plane, and True if it is upside down there."""
        copies = product(range(2 if self.rows_glued else 1), range(3 if self.cols_glued else 1))
        plane = {}
        for i, j in copies:
            upside_down = self.twisted and j == 1
            for tile in range(self.num_tiles):
                row, column = divmod(tile, self.cols)
                row = self.rows - 1 - row if upside_down else row
                plane[i * self.rows + row, j * self.cols + column] = (tile, upside_down)
        return plane

    def _step(self, tile: int, step: Step) -> tuple[int, bool] | None:
        """Return the target of a step, and True if it is upside down; None beyond the sheet."""
        # The plane repeats after one sheet downwards, and after two to the right, where the
        # twists have cancelled.
        down = step[0] % self.rows if self.rows_glued else step[0]
        right = step[1] % (2 * self.cols) if self.cols_glued else step[1]
        return self._plane.get((tile // self.cols + down, tile % self.cols + right))

    def reach(self, tile: int, leap: Leap) -> Iterator[int]:
        for step in steps_of(leap):
            if target := self._step(tile, step):
                yield target[0]

    def lines(self, tile: int, kind: str) -> Iterator[Iterator[int]]:
        for step in steps_of((0, 1) if kind == STRAIGHT else (1, 1)):
            yield self._line(tile, step)

    def _line(self, tile: int, step: Step) -> Iterator[int]:
        start = tile
        while target := self._step(tile, step):
            tile, upside_down = target
            step = (-step[0], step[1]) if upside_down else step
            yield tile
            if tile == start:
                return

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
            for step in steps_of(leap):
                target = self._step(a, step)
                if target and target[0] == b:
                    if (a // self.cols + step[0], a % self.cols + step[1]) == divmod(b, self.cols):
                        return straight
                    back = (step[0] if target[1] else -step[0], -step[1])
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


def steps_of(leap: Leap) -> set[Step]:
    """Return all steps of a leap, down and to the right."""
    return {(s * a, t * b) for a, b in permutations(leap) for s, t in product((1, -1), repeat=2)}

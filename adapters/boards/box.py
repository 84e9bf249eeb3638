"""Box: a three-dimensional board whose layers are drawn side by side."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations, product

from boardsat.adapters.boards._board import (
    KING,
    LatticeBoard,
    Leap,
    Pieces,
    Point,
    leaps_of,
    pieces_of,
)
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header

Triple = tuple[int, int, int]
"""Layer, row and column, or a step along them."""

_KING: tuple[Leap, ...] = (*KING, (1, 1, 1))
"""Leaps of a king in three dimensions, to all 26 neighbours."""


@dataclass(frozen=True)
class Box(LatticeBoard):
    """Three-dimensional board, numbered layer by layer and row by row."""

    slanted_leaps = ((1, 1), (1, 1, 1))

    layers: int
    rows: int
    cols: int
    leaps: frozenset[Leap]
    pieces: Pieces = field(default_factory=Pieces)

    @property
    def num_tiles(self) -> int:
        return self.layers * self.rows * self.cols

    def _coordinates(self, tile: int) -> Triple:
        layer, layer_tile = divmod(tile, self.rows * self.cols)
        return layer, *divmod(layer_tile, self.cols)

    def steps_of(self, leap: Leap) -> set[Triple]:
        # One length or zero along each of the three directions.
        lengths = (*[0] * (3 - len(leap)), *leap)
        return {
            (x * a, y * b, z * c)
            for a, b, c in permutations(lengths)
            for x, y, z in product((1, -1), repeat=3)
        }

    def step_from(self, tile: int, step: Triple) -> tuple[int, Triple] | None:
        target = [a + b for a, b in zip(self._coordinates(tile), step, strict=True)]
        sizes = (self.layers, self.rows, self.cols)
        if any(not 0 <= a < size for a, size in zip(target, sizes, strict=True)):
            return None
        return (target[0] * self.rows + target[1]) * self.cols + target[2], step

    def leaps_of(self, piece: str) -> tuple[Leap, ...]:
        return _KING if piece == "king" else super().leaps_of(piece)

    @property
    def title(self) -> str:
        return f"a box of {self.layers}x{self.rows}x{self.cols}"

    def tile_name(self, tile: int) -> str:
        return str(self._coordinates(tile))

    # Drawing.

    def sections(self) -> list[list[list[int]]]:
        tiles = iter(range(self.num_tiles))
        return [
            [[next(tiles) for _ in range(self.cols)] for _ in range(self.rows)]
            for _ in range(self.layers)
        ]

    def middle(self, tile: int) -> Point:
        layer, row, column = self._coordinates(tile)
        return layer * (self.cols + 1) + column + 0.5, row + 0.5

    def shade(self, tile: int) -> int:
        return sum(self._coordinates(tile)) & 1

    def is_far(self, a: int, b: int) -> bool:
        return self._coordinates(a)[0] != self._coordinates(b)[0]


def read(header: Header) -> Box:
    options = header.board.options
    layers, rows, cols = header_values.side_lengths(
        options, header.board.max_cells, "layers", "rows", "cols"
    )
    pieces = pieces_of(options, layers * rows * cols)
    return Box(layers, rows, cols, leaps_of(header, dimensions=3), pieces)

"""A box of cells in three dimensions, drawn layer by layer, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product

from boardsat.adapters.boards._pieces import (
    KING,
    LEAPERS,
    STRAIGHT,
    Leap,
    Pieces,
    leaps_of,
    pieces_of,
)
from boardsat.adapters.boards._tiles import Point, Tiles
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header

Triple = tuple[int, int, int]

_KING: tuple[Leap, ...] = (*KING, (1, 1, 1))
"""All 26 cells around."""


@dataclass(frozen=True)
class Box(Tiles):
    layers: int
    rows: int
    cols: int
    leaps: frozenset[Leap]
    pieces: Pieces = field(default_factory=Pieces)

    @property
    def places(self) -> int:
        return self.layers * self.rows * self.cols

    def _at(self, place: int) -> Triple:
        layer, rest = divmod(place, self.rows * self.cols)
        return layer, *divmod(rest, self.cols)

    def _walk(self, place: int, step: Triple) -> int | None:
        at = [a + b for a, b in zip(self._at(place), step, strict=True)]
        sizes = (self.layers, self.rows, self.cols)
        if any(not 0 <= a < size for a, size in zip(at, sizes, strict=True)):
            return None
        return (at[0] * self.rows + at[1]) * self.cols + at[2]

    def reach(self, place: int, leap: Leap) -> Iterator[int]:
        for step in _ways(leap):
            if (there := self._walk(place, step)) is not None:
                yield there

    def lines(self, place: int, kind: str) -> Iterator[Iterator[int]]:
        for leap in ((0, 1),) if kind == STRAIGHT else ((1, 1), (1, 1, 1)):
            for step in _ways(leap):
                yield self._line(place, step)

    def _line(self, place: int, step: Triple) -> Iterator[int]:
        while (there := self._walk(place, step)) is not None:
            place = there
            yield place

    def leaps_of(self, word: str) -> tuple[Leap, ...]:
        return _KING if word == "king" else LEAPERS.get(word, ())

    @property
    def title(self) -> str:
        return f"a box of {self.layers}x{self.rows}x{self.cols}"

    def place_name(self, place: int) -> str:
        return str(self._at(place))

    # Drawing.

    def sections(self) -> list[list[list[int]]]:
        numbers = iter(range(self.places))
        return [
            [[next(numbers) for _ in range(self.cols)] for _ in range(self.rows)]
            for _ in range(self.layers)
        ]

    def middle(self, place: int) -> Point:
        layer, row, column = self._at(place)
        return layer * (self.cols + 1) + column + 0.5, row + 0.5

    def shade(self, place: int) -> int:
        return sum(self._at(place)) & 1

    def is_far(self, a: int, b: int) -> bool:
        return self._at(a)[0] != self._at(b)[0]


def _ways(leap: Leap) -> set[Triple]:
    lengths = (*[0] * (3 - len(leap)), *leap)
    return {
        (x * a, y * b, z * c)
        for a, b, c in permutations(lengths)
        for x, y, z in product((1, -1), repeat=3)
    }


def read(header: Header) -> Box:
    about = header.board.options
    layers, rows, cols = header_values.extents(
        about, header.board.max_cells, "layers", "rows", "cols"
    )
    places = layers * rows * cols
    return Box(layers, rows, cols, leaps_of(header, 3), pieces_of(about, places))

"""A board of tiles: places, holes, pieces, and where each is drawn.

A shape says how pieces get from place to place and where places are in a drawing; what follows for
the cells, for guards and for edges is worked out here. It is written from the definitions of the
shapes and shares nothing with the generator, whose files it checks.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from boardsat.adapters.boards._board import Board
from boardsat.adapters.boards._pieces import LEAPERS, SLIDES, Leap, Pieces

Point = tuple[float, float]
"""Right and down, in sides of a tile."""


class Seam(NamedTuple):
    """A side that is glued to another of the same name, so that their arrows agree."""

    name: str
    tail: Point
    head: Point
    outward: Point
    """The way from the side out of the drawing."""


class Tiles(Board):
    """The base of all shapes but graphs."""

    leaps: frozenset[Leap]
    pieces: Pieces

    # What a shape says.

    @property
    @abstractmethod
    def places(self) -> int: ...

    @abstractmethod
    def reach(self, place: int, leap: Leap) -> Iterable[int]:
        """The places that a leap leads to."""

    @abstractmethod
    def lines(self, place: int, kind: str) -> Iterable[Iterator[int]]:
        """The places that a rook (straight) or a bishop (slanted) comes to, line by line."""

    @abstractmethod
    def place_name(self, place: int) -> str: ...

    @abstractmethod
    def sections(self) -> list[list[list[int]]]:
        """Places by rows, in as many parts as the board is drawn in."""

    @abstractmethod
    def middle(self, place: int) -> Point:
        """Where the middle of the tile is in a drawing."""

    def corners(self, place: int) -> list[Point]:
        """The outline of the tile: a square, unless the shape says otherwise."""
        x, y = self.middle(place)
        half = 0.5
        return [
            (x - half, y - half),
            (x + half, y - half),
            (x + half, y + half),
            (x - half, y + half),
        ]

    def slot(self, place: int) -> tuple[int, int]:
        """The line and the half column of the place in a drawing of letters."""
        x, y = self.middle(place)
        return int(y), int(2 * x) - 1

    def shade(self, place: int) -> int:
        """Which of the colours of a board the tile has."""
        x, y = self.middle(place)
        return int(x) + int(y) & 1

    def seams(self) -> list[Seam]:
        """Sides that are glued to one another."""
        return []

    def strokes(self, a: int, b: int) -> list[list[Point]]:
        """A move between two places as lines: one, or two that leave the drawing and come back."""
        return [[self.middle(a), self.middle(b)]]

    def is_far(self, a: int, b: int) -> bool:
        """Whether a line between two places would cross what is not board, and so should bend."""
        return False

    # What follows.

    @cached_property
    def _place_of(self) -> list[int]:
        absent = self.pieces.absent
        return [place for place in range(self.places) if place not in absent]

    @cached_property
    def _cell_at(self) -> dict[int, int]:
        return {place: cell for cell, place in enumerate(self._place_of)}

    @property
    def cells(self) -> int:
        return self.places - len(self.pieces.absent)

    def place(self, cell: int) -> int:
        return self._place_of[cell] if self.pieces.absent else cell

    def cell_at(self, place: int) -> int:
        return self._cell_at[place] if self.pieces.absent else place

    def name(self, cell: int) -> str:
        return self.place_name(self.place(cell))

    def is_move(self, a: int, b: int) -> bool:
        return a != b and self.place(b) in self._targets(self.place(a))

    def _targets(self, place: int) -> set[int]:
        return {target for leap in self.leaps for target in self.reach(place, leap)}

    def edges(self) -> list[tuple[int, int]]:
        absent = self.pieces.absent
        return [
            (cell, other)
            for cell in range(self.cells)
            for other in sorted(
                self.cell_at(t) for t in self._targets(self.place(cell)) if t not in absent
            )
            if cell < other
        ]

    def guards(self) -> list[tuple[int, int]]:
        return [
            (self.cell_at(place), self.cell_at(target))
            for place, word in self.pieces.enemies.items()
            for target in sorted(self._attacked(place, word))
        ]

    def _attacked(self, place: int, word: str) -> set[int]:
        """A line ends at a hole or a friend; an enemy may be captured, so it goes on behind one."""
        absent = self.pieces.absent
        found = {target for leap in self.leaps_of(word) for target in self.reach(place, leap)}
        for kind in SLIDES.get(word, ()):
            for line in self.lines(place, kind):
                for target in line:
                    if target == place or target in absent:
                        break
                    found.add(target)
        return found - absent - {place}

    def leaps_of(self, word: str) -> tuple[Leap, ...]:
        """The leaps of a piece by name; a slider has none."""
        return LEAPERS.get(word, ())

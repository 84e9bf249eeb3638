"""The surface of a cube, drawn as its net; squares are given by their corners in space.

Neighbours share a side, which is two corners. Straight ahead leads out by the side that shares no
corner with the one by which a square was entered; left and right are the other two. A bishop leaves
by a corner to the square that has nothing else in common; where three squares meet there is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from boardsat.adapters.boards._pieces import STRAIGHT, Leap, Pieces, leaps_of, pieces_of
from boardsat.adapters.boards._tiles import Point, Seam, Tiles
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header

Corner = tuple[int, int, int]
Side = frozenset[Corner]

_NET = ((0, 1), (1, 0), (1, 1), (1, 2), (1, 3), (2, 1))
"""The row and column of each face in the net: up, left, front, right, back, down."""

_FACES = ("up", "left", "front", "right", "back", "down")


@dataclass(frozen=True)
class Cube(Tiles):
    side: int
    leaps: frozenset[Leap]
    pieces: Pieces = field(default_factory=Pieces)

    @property
    def places(self) -> int:
        return 6 * self.side * self.side

    def _at(self, place: int) -> tuple[int, int, int]:
        face, rest = divmod(place, self.side * self.side)
        return face, *divmod(rest, self.side)

    def _in_space(self, face: int, row: int, column: int) -> Corner:
        """The point where lines of a face's own grid meet: right, down, and back from the front."""
        n = self.side
        points: tuple[Corner, ...] = (
            (column, 0, n - row),
            (0, row, n - column),
            (column, row, 0),
            (n, row, column),
            (n - column, row, n),
            (column, n, row),
        )
        return points[face]

    @cached_property
    def _outline(self) -> list[tuple[Corner, ...]]:
        """The corners of every square, in turn."""
        return [
            tuple(
                self._in_space(face, row + down, column + right)
                for down, right in ((0, 0), (0, 1), (1, 1), (1, 0))
            )
            for face, row, column in map(self._at, range(self.places))
        ]

    @cached_property
    def _beside(self) -> dict[Side, list[int]]:
        """The two squares of every side."""
        found: dict[Side, list[int]] = defaultdict(list)
        for place in range(self.places):
            for side in self._sides(place):
                found[side].append(place)
        return found

    @cached_property
    def _around(self) -> dict[Corner, list[int]]:
        found: dict[Corner, list[int]] = defaultdict(list)
        for place, outline in enumerate(self._outline):
            for corner in outline:
                found[corner].append(place)
        return found

    def _sides(self, place: int) -> list[Side]:
        outline = self._outline[place]
        return [frozenset((outline[k - 1], outline[k])) for k in range(4)]

    def _ahead(self, place: int, side: Side, squares: int) -> tuple[int, Side]:
        """Leave by a side and go straight on; the square, and the side that is ahead there."""
        # Once around, one is where one was.
        for _ in range(squares % (4 * self.side)):
            (place,) = [other for other in self._beside[side] if other != place]
            side = frozenset(self._outline[place]) - side
        return place, side

    def reach(self, place: int, leap: Leap) -> Iterator[int]:
        for first, then in {leap, leap[::-1]}:
            for side in self._sides(place):
                turning, ahead = self._ahead(place, side, first)
                for turn in self._sides(turning):
                    if len(turn & ahead) == 1:
                        yield self._ahead(turning, turn, then)[0]

    def lines(self, place: int, kind: str) -> Iterator[Iterator[int]]:
        if kind == STRAIGHT:
            for side in self._sides(place):
                yield self._straight(place, side)
        else:
            for corner in self._outline[place]:
                yield self._slanted(place, corner)

    def _straight(self, place: int, side: Side) -> Iterator[int]:
        for _ in range(4 * self.side):
            place, side = self._ahead(place, side, 1)
            yield place

    def _slanted(self, place: int, corner: Corner) -> Iterator[int]:
        start = place
        while opposite := [
            other
            for other in self._around[corner]
            if set(self._outline[other]) & set(self._outline[place]) == {corner}
        ]:
            (place,) = opposite
            outline = self._outline[place]
            corner = outline[(outline.index(corner) + 2) % 4]
            yield place
            if place == start:
                return

    @property
    def title(self) -> str:
        return f"a cube with a side of {self.side}"

    def place_name(self, place: int) -> str:
        face, row, column = self._at(place)
        return f"({_FACES[face]}, {row}, {column})"

    # Drawing.

    def sections(self) -> list[list[list[int]]]:
        numbers = iter(range(self.places))
        side = range(self.side)
        return [[[next(numbers) for _ in side] for _ in side] for _ in _FACES]

    def middle(self, place: int) -> Point:
        face, row, column = self._at(place)
        down, right = _NET[face]
        return right * self.side + column + 0.5, down * self.side + row + 0.5

    def seams(self) -> list[Seam]:
        """The sides of faces that are apart in the net."""
        n = self.side
        found: dict[tuple[Corner, ...], list[Seam]] = defaultdict(list)
        for face, (down, right) in enumerate(_NET):
            x, y = right * n, down * n
            for outward, ends in (
                ((0, -1), ((0, 0), (0, n))),
                ((0, 1), ((n, 0), (n, n))),
                ((-1, 0), ((0, 0), (n, 0))),
                ((1, 0), ((0, n), (n, n))),
            ):
                if (down + outward[1], right + outward[0]) in _NET:
                    continue
                tail, head = sorted(ends, key=lambda end: self._in_space(face, *end))
                key = (self._in_space(face, *tail), self._in_space(face, *head))
                drawn = [(x + column, y + row) for row, column in (tail, head)]
                found[key].append(Seam("", drawn[0], drawn[1], outward))
        return [
            seam._replace(name=chr(ord("a") + number))
            for number, seams in enumerate(found.values())
            for seam in seams
        ]

    def is_far(self, a: int, b: int) -> bool:
        """Whether a straight line between the two would leave the net."""
        (p, q), (r, s) = _NET[self._at(a)[0]], _NET[self._at(b)[0]]
        return abs(p - r) + abs(q - s) > 1


def read(header: Header) -> Cube:
    about = header.board.options
    side, _ = header_values.extents(about, header.board.max_cells, "side", "side")
    return Cube(side, leaps_of(header), pieces_of(about, 6 * side * side))

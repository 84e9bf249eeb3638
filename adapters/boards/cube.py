"""Surface of a cube, drawn as its net; squares are given by their corners in space.

Neighbours share a side, which is a pair of corners. A straight line leaves a square by the side
opposite to the one by which it entered; a leap turns left or right at the other two. A bishop
crosses a corner to the square that shares only that corner. A corner of the cube, where only three
squares meet, has no such square.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from boardsat.adapters.boards._board import (
    STRAIGHT,
    Leap,
    Pieces,
    Point,
    Seam,
    Tiles,
    leaps_of,
    pieces_of,
)
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header

Corner = tuple[int, int, int]
Side = frozenset[Corner]

_NET = ((0, 1), (1, 0), (1, 1), (1, 2), (1, 3), (2, 1))
"""Row and column of each face in the net: up, left, front, right, back, down."""

_FACES = ("up", "left", "front", "right", "back", "down")


@dataclass(frozen=True)
class Cube(Tiles):
    """Surface of a cube whose faces have `side` times `side` squares."""

    side: int
    leaps: frozenset[Leap]
    pieces: Pieces = field(default_factory=Pieces)

    @property
    def num_tiles(self) -> int:
        return 6 * self.side * self.side

    def _coordinates(self, tile: int) -> tuple[int, int, int]:
        """Return the face of a tile, and its row and column there."""
        face, face_tile = divmod(tile, self.side * self.side)
        return face, *divmod(face_tile, self.side)

    def _point(self, face: int, row: int, column: int) -> Corner:
        """Return a grid point of a face as coordinates in space: to the right, down and back."""
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
        """Corners of every square, in cyclic order."""
        return [
            tuple(
                self._point(face, row + down, column + right)
                for down, right in ((0, 0), (0, 1), (1, 1), (1, 0))
            )
            for face, row, column in map(self._coordinates, range(self.num_tiles))
        ]

    @cached_property
    def _tiles_by_side(self) -> dict[Side, list[int]]:
        """Pair of squares at every side."""
        tiles: dict[Side, list[int]] = defaultdict(list)
        for tile in range(self.num_tiles):
            for side in self._sides(tile):
                tiles[side].append(tile)
        return tiles

    @cached_property
    def _tiles_by_corner(self) -> dict[Corner, list[int]]:
        tiles: dict[Corner, list[int]] = defaultdict(list)
        for tile, outline in enumerate(self._outline):
            for corner in outline:
                tiles[corner].append(tile)
        return tiles

    def _sides(self, tile: int) -> list[Side]:
        outline = self._outline[tile]
        return [frozenset((outline[k - 1], outline[k])) for k in range(4)]

    def _ahead(self, tile: int, side: Side, squares: int) -> tuple[int, Side]:
        """Move straight from a tile across a side; return the last tile, and its side ahead."""
        # Four faces are a full circle.
        for _ in range(squares % (4 * self.side)):
            (tile,) = [other for other in self._tiles_by_side[side] if other != tile]
            side = frozenset(self._outline[tile]) - side
        return tile, side

    def reach(self, tile: int, leap: Leap) -> Iterator[int]:
        for first_length, second_length in {leap, leap[::-1]}:
            for side in self._sides(tile):
                corner_tile, ahead = self._ahead(tile, side, first_length)
                for turn in self._sides(corner_tile):
                    if len(turn & ahead) == 1:
                        yield self._ahead(corner_tile, turn, second_length)[0]

    def lines(self, tile: int, kind: str) -> Iterator[Iterator[int]]:
        if kind == STRAIGHT:
            for side in self._sides(tile):
                yield self._straight(tile, side)
        else:
            for corner in self._outline[tile]:
                yield self._slanted(tile, corner)

    def _straight(self, tile: int, side: Side) -> Iterator[int]:
        for _ in range(4 * self.side):
            tile, side = self._ahead(tile, side, 1)
            yield tile

    def _slanted(self, tile: int, corner: Corner) -> Iterator[int]:
        start = tile
        while opposite := [
            neighbour
            for neighbour in self._tiles_by_corner[corner]
            if set(self._outline[neighbour]) & set(self._outline[tile]) == {corner}
        ]:
            (tile,) = opposite
            outline = self._outline[tile]
            corner = outline[(outline.index(corner) + 2) % 4]
            yield tile
            if tile == start:
                return

    @property
    def title(self) -> str:
        return f"a cube with a side of {self.side}"

    def tile_name(self, tile: int) -> str:
        face, row, column = self._coordinates(tile)
        return f"({_FACES[face]}, {row}, {column})"

    # Drawing.

    def sections(self) -> list[list[list[int]]]:
        tiles = iter(range(self.num_tiles))
        side = range(self.side)
        return [[[next(tiles) for _ in side] for _ in side] for _ in _FACES]

    def middle(self, tile: int) -> Point:
        face, row, column = self._coordinates(tile)
        down, right = _NET[face]
        return right * self.side + column + 0.5, down * self.side + row + 0.5

    def seams(self) -> list[Seam]:
        """Return the sides of faces along which the net is cut."""
        n = self.side
        seams_by_ends: dict[tuple[Corner, ...], list[Seam]] = defaultdict(list)
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
                tail, head = sorted(ends, key=lambda end: self._point(face, *end))
                key = (self._point(face, *tail), self._point(face, *head))
                net_ends = [(x + column, y + row) for row, column in (tail, head)]
                seams_by_ends[key].append(Seam("", net_ends[0], net_ends[1], outward))
        return [
            seam._replace(name=chr(ord("a") + number))
            for number, seams in enumerate(seams_by_ends.values())
            for seam in seams
        ]

    def is_far(self, a: int, b: int) -> bool:
        """Return True if a straight line between two tiles may leave the net."""
        (p, q), (r, s) = _NET[self._coordinates(a)[0]], _NET[self._coordinates(b)[0]]
        return abs(p - r) + abs(q - s) > 1


def read(header: Header) -> Cube:
    options = header.board.options
    side, _ = header_values.side_lengths(options, header.board.max_cells, "side", "side")
    return Cube(side, leaps_of(header), pieces_of(options, 6 * side * side))

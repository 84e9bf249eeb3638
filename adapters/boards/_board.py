"""Base classes of boards (cells and moves, tiles, lattices), and chess pieces on them.

They are written from the definitions of boards and share no code with the generator, whose files
they check.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header
from boardsat.base.dataclass import dataclass

Leap = tuple[int, ...]
"""Lengths of a move along the directions of a board, in ascending order: (1, 2) for a knight."""

KING: tuple[Leap, ...] = ((0, 1), (1, 1))
LEAPERS: dict[str, tuple[Leap, ...]] = {
    "wazir": ((0, 1),),
    "ferz": ((1, 1),),
    "dabbaba": ((0, 2),),
    "knight": ((1, 2),),
    "alfil": ((2, 2),),
    "threeleaper": ((0, 3),),
    "camel": ((1, 3),),
    "zebra": ((2, 3),),
    "giraffe": ((1, 4),),
    "antelope": ((3, 4),),
    "king": KING,
}
STRAIGHT, SLANTED = "straight", "slanted"
SLIDES = {"rook": (STRAIGHT,), "bishop": (SLANTED,), "queen": (STRAIGHT, SLANTED)}

PIECES = frozenset((*LEAPERS, *SLIDES, "pawn"))
"""Names of all pieces."""

_SYMBOLS = {"king": "♔", "queen": "♕", "rook": "♖", "bishop": "♗", "knight": "♘", "pawn": "♙"}
_ENEMY_SYMBOLS = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞"}
_LETTERS = {"knight": "N"}

_MAX_STEPS = 1000
_MAX_LEAP_LENGTH = 2**24


@dataclass(frozen=True)
class Pieces:
    """Tiles that are holes, and names of the pieces on other tiles, by tile."""

    holes: frozenset[int] = frozenset()
    friends: dict[int, str] = field(default_factory=dict)
    enemies: dict[int, str] = field(default_factory=dict)

    @property
    def absent(self) -> frozenset[int]:
        """Tiles that are not cells."""
        return self.holes | self.friends.keys()


def pieces_of(options: dict[str, Any], num_tiles: int) -> Pieces:
    """Return the holes and pieces that the board of a header describes."""
    return Pieces(
        frozenset(header_values.integers(options, "holes", 0, num_tiles - 1)),
        dict(_pieces_by_tile(options, "friends", num_tiles)),
        dict(_pieces_by_tile(options, "enemies", num_tiles)),
    )


def _pieces_by_tile(options: dict[str, Any], key: str, num_tiles: int) -> Iterator[tuple[int, str]]:
    for pair in header_values.json_list(options, key):
        match pair:
            case [str(name), tile] if re.fullmatch(r"[a-z]{1,20}", name):
                yield header_values.check_integer(tile, 0, num_tiles - 1, key), name
            case _:
                raise header_values.malformed(f"each of `{key}`", "be a piece and a place", pair)


def leaps_of(header: Header, dimensions: int = 2) -> frozenset[Leap]:
    """Return the leaps of the piece that tours, from the steps in the header.

    Raises
    ------
    MalformedError
        The header's `moves` are not a short list of steps with the given number of dimensions.
    """
    leaps = set()
    steps = header_values.json_list(header.board.options, "moves")
    if len(steps) > _MAX_STEPS:
        raise header_values.malformed("`moves`", f"have at most {_MAX_STEPS} entries", len(steps))
    for step in steps:
        if type(step) is not list or len(step) != dimensions:
            raise header_values.malformed("each of `moves`", f"be {dimensions} numbers", step)
        lengths = [
            header_values.check_integer(n, -_MAX_LEAP_LENGTH, _MAX_LEAP_LENGTH, "moves")
            for n in step
        ]
        leaps.add(tuple(sorted(map(abs, lengths))))
    return frozenset(leaps)


def piece_letter(name: str) -> str:
    """Return the capital letter of a piece in text; a name of one character is its own letter."""
    if len(name) == 1:
        return name
    return _LETTERS.get(name, name[0].upper())


def piece_symbol(name: str, enemy: bool) -> str:
    """Return the symbol of a piece in pictures: white for a friend, black for an enemy."""
    symbols = _ENEMY_SYMBOLS if enemy else _SYMBOLS
    return symbols.get(name, piece_letter(name).lower() if enemy else piece_letter(name))


Point = tuple[float, float]
"""Coordinates to the right and down, in sides of a tile."""


def shortest_cycle(directed: bool) -> int:
    """Return the minimum length of a closed tour: 2 with arcs in both directions, 3 with edges."""
    return 2 if directed else 3


class Board(ABC):
    """Board with cells that are numbered from 0.

    Parameters of an instance, such as the start of a tour, number the tiles instead, which include
    holes. On a graph both are the vertices.
    """

    @property
    @abstractmethod
    def cells(self) -> int: ...

    @abstractmethod
    def is_move(self, a: int, b: int) -> bool: ...

    @abstractmethod
    def edges(self) -> list[tuple[int, int]]:
        """Return the pairs of cells that are a move apart, each once, the smaller cell first."""

    @property
    def directed(self) -> bool:
        """True if a move may lack its reverse."""
        return False

    @abstractmethod
    def name(self, cell: int) -> str: ...

    @property
    @abstractmethod
    def title(self) -> str:
        """Description of the board: `8x8`, `a torus of 5x6`."""

    def cell_at(self, tile: int) -> int:
        """Return the cell on a tile; raise KeyError if it is a hole or holds a friend."""
        return tile

    def notes(self) -> list[str]:
        """Return remarks on the board that the user may not expect."""
        return []

    def guards(self) -> list[tuple[int, int]]:
        """Return pairs of an enemy's cell and an attacked cell, which must be visited later."""
        return []


class Seam(NamedTuple):
    """Side glued to the side of the same name, so that their tails and their heads coincide."""

    name: str
    tail: Point
    head: Point
    outward: Point
    """Unit vector that points from the side out of the drawing."""


class Tiles(Board):
    """Base class of all boards except graphs.

    Tiles are numbered from 0; specs call the numbers places. Holes, and tiles that are blocked by
    a piece (a friend), are numbered too, but they are not cells.

    A shape defines the abstract methods, and overrides others if the defaults (square tiles in
    rows, no glued sides) do not fit.
    """

    leaps: frozenset[Leap]
    """Leaps of the piece that tours the board."""
    pieces: Pieces

    # Geometry, defined by each shape.

    @property
    @abstractmethod
    def num_tiles(self) -> int: ...

    @abstractmethod
    def reach(self, tile: int, leap: Leap) -> Iterable[int]:
        """Return the tiles that a leap leads to, on an empty board.

        Parameters
        ----------
        tile : int
            Tile that the leap begins on.
        leap : tuple of int
            Lengths along the directions of the board in ascending order: (1, 2) for a knight.
        """

    @abstractmethod
    def lines(self, tile: int, kind: str) -> Iterable[Iterator[int]]:
        """Return the lines of attack from a tile, on an empty board.

        Parameters
        ----------
        tile : int
            Tile that the lines begin on; they do not contain it, unless they return to it.
        kind : str
            `STRAIGHT` for the lines of a rook, `SLANTED` for those of a bishop.

        Returns
        -------
        iterable of iterators
            Tiles of each line, the nearest first.
        """

    @abstractmethod
    def tile_name(self, tile: int) -> str: ...

    @abstractmethod
    def sections(self) -> list[list[list[int]]]:
        """Return the sections of the drawing, each a list of rows of tiles."""

    @abstractmethod
    def middle(self, tile: int) -> Point:
        """Return the centre of a tile in drawings."""

    def corners(self, tile: int) -> list[Point]:
        """Return the outline of a tile; a square by default."""
        x, y = self.middle(tile)
        half = 0.5
        return [
            (x - half, y - half),
            (x + half, y - half),
            (x + half, y + half),
            (x - half, y + half),
        ]

    def slot(self, tile: int) -> tuple[int, int]:
        """Return the line and the half column of a tile in text."""
        x, y = self.middle(tile)
        return int(y), int(2 * x) - 1

    def shade(self, tile: int) -> int:
        """Return the number of a tile's shade in drawings; adjacent tiles have different shades."""
        x, y = self.middle(tile)
        return int(x) + int(y) & 1

    def seams(self) -> list[Seam]:
        """Return the glued sides."""
        return []

    def strokes(self, a: int, b: int) -> list[list[Point]]:
        """Return a move between two tiles as one line, or as two stubs that cross glued sides."""
        return [[self.middle(a), self.middle(b)]]

    def is_far(self, a: int, b: int) -> bool:
        """Return True if a move must be drawn as a curve, as a straight line leaves the board."""
        return False

    # Cells and moves, derived from the geometry.

    @cached_property
    def _cell_tiles(self) -> list[int]:
        absent = self.pieces.absent
        return [tile for tile in range(self.num_tiles) if tile not in absent]

    @cached_property
    def _tile_cells(self) -> dict[int, int]:
        return {tile: cell for cell, tile in enumerate(self._cell_tiles)}

    @property
    def cells(self) -> int:
        return self.num_tiles - len(self.pieces.absent)

    def tile_of(self, cell: int) -> int:
        return self._cell_tiles[cell] if self.pieces.absent else cell

    def cell_at(self, tile: int) -> int:
        return self._tile_cells[tile] if self.pieces.absent else tile

    def name(self, cell: int) -> str:
        return self.tile_name(self.tile_of(cell))

    def is_move(self, a: int, b: int) -> bool:
        return a != b and self.tile_of(b) in self._targets(self.tile_of(a))

    def _targets(self, tile: int) -> set[int]:
        return {target for leap in self.leaps for target in self.reach(tile, leap)}

    def edges(self) -> list[tuple[int, int]]:
        absent = self.pieces.absent
        return [
            (cell, neighbour)
            for cell in range(self.cells)
            for neighbour in sorted(
                self.cell_at(t) for t in self._targets(self.tile_of(cell)) if t not in absent
            )
            if cell < neighbour
        ]

    def guards(self) -> list[tuple[int, int]]:
        return [
            (self.cell_at(tile), self.cell_at(target))
            for tile, piece in self.pieces.enemies.items()
            for target in sorted(self._attacked(tile, piece))
        ]

    def _attacked(self, tile: int, piece: str) -> set[int]:
        """Return the tiles that an enemy attacks and that are cells.

        A line ends before a hole or a friend. It continues behind an enemy, which may be captured.
        """
        absent = self.pieces.absent
        attacked = {target for leap in self.leaps_of(piece) for target in self.reach(tile, leap)}
        for kind in SLIDES.get(piece, ()):
            for line in self.lines(tile, kind):
                for target in line:
                    if target == tile or target in absent:
                        break
                    attacked.add(target)
        return attacked - absent - {tile}

    def leaps_of(self, piece: str) -> tuple[Leap, ...]:
        """Return the leaps of a piece by name; empty for a slider."""
        return LEAPERS.get(piece, ())


class LatticeBoard(Tiles):
    """Base class of boards on which a leap is a set of steps, the same from every tile."""

    slanted_leaps: ClassVar[tuple[Leap, ...]] = ((1, 1),)
    """Leaps of a bishop to the nearest tiles on its lines."""

    @abstractmethod
    def steps_of(self, leap: Leap) -> Iterable[tuple[int, ...]]:
        """Return all steps of a leap, as differences of coordinates."""

    @abstractmethod
    def step_from(self, tile: int, step: Any) -> tuple[int, Any] | None:
        """Return the target of a step, and the step that continues the line; None beyond the board.

        The continuing step differs from `step` if the target is upside down.
        """

    def reach(self, tile: int, leap: Leap) -> Iterator[int]:
        for step in self.steps_of(leap):
            if end := self.step_from(tile, step):
                yield end[0]

    def lines(self, tile: int, kind: str) -> Iterator[Iterator[int]]:
        for leap in ((0, 1),) if kind == STRAIGHT else self.slanted_leaps:
            for step in self.steps_of(leap):
                yield self._line(tile, step)

    def _line(self, tile: int, step: tuple[int, ...]) -> Iterator[int]:
        start = tile
        while end := self.step_from(tile, step):
            tile, step = end
            yield tile
            if tile == start:
                return

"""Layout of a board: its places, the holes and pieces on them, and the numbering of cells.

The cells of a board are its places in order, without holes and friends. A shape parses its `board`
line (`parse_layout`) and builds the board (`board_from`) on a `Surface`, its geometry.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.boards import Board
from boardsat.generators.boards._pieces import (
    PIECE_OPTIONS,
    Attack,
    Leap,
    Pieces,
    attack,
    parse_leaps,
    parse_pieces,
)
from boardsat.generators.boards._symmetries import point_indices
from boardsat.generators.language.values import KeyedSet, Table, TupleSet, Value

PLACE_BYTES, LEAP_BYTES, TARGET_BYTES = 100, 100, 40
"""Memory for each place of a board, each leap from a place, and each place that a piece attacks."""

LAYOUT_OPTIONS = {"moves": str, **PIECE_OPTIONS}
"""Options of all shapes with a layout."""

Lines = list[list[int]]
"""Places that a piece reaches on an empty board, one list for each line."""


class Layout(NamedTuple):
    """Parsed `board` line of a spec."""

    size: Mapping[str, int]
    """Size options, for the header of a file."""
    leaps: list[Leap]
    """Leaps of the moves."""
    pieces: Pieces
    attacks: Mapping[int, Attack]
    """Moves of the enemy on each place."""
    place_of: Ints
    """Place of each cell."""
    cell_at: Ints
    """Cell at each place, or -1."""


class Surface(Protocol):
    """Geometry of a shape: the leaps and lines of pieces on an empty board."""

    def leap_pairs(self, leaps: list[Leap]) -> tuple[Ints, Ints]:
        """Return the pairs of places that are joined by a leap.

        Parameters
        ----------
        leaps : list of Leap
            Absolute offsets along the axes: `(1, 2)` for a knight.

        Returns
        -------
        tuple of two arrays
            Origin and target of each leap from each place, in any order; repeated pairs and leaps
            that return to their origin are allowed.
        """

    def lines(self, place: int, attack: Attack) -> Lines:
        """Return the places that a piece attacks if the board is empty.

        Parameters
        ----------
        place : int
            Place of the piece.
        attack : Attack
            Leaps of the piece, and whether it repeats them.

        Returns
        -------
        list of list of int
            Places of each line, in the order in which the piece reaches them. The lines of a leaper
            have one place each.
        """


@dataclass(frozen=True)
class Lattice(ABC):
    """Surface whose places are points with integer coordinates, and whose lines repeat a step."""

    points: Ints
    """Coordinates of the places, one row for each."""
    max_line: int
    """Maximum number of steps of a line."""

    @abstractmethod
    def steps(self, leaps: list[Leap]) -> Ints:
        """Return the offsets of all leaps, one in each row."""

    def places(self, points: Ints) -> tuple[Ints, Bools]:
        """Return the place of each point, and a mask of the points on the surface.

        Places outside the mask are meaningless. Shapes override this search by arithmetic where
        that is simple.
        """
        return point_indices(self.points, points)

    def leap_pairs(self, leaps: list[Leap]) -> tuple[Ints, Ints]:
        steps = self.steps(leaps)
        checkpoint(len(self.points) * len(steps) * LEAP_BYTES)
        target, inside = self.places(self.points[:, None] + steps)
        return np.nonzero(inside)[0], target[inside]

    def lines(self, place: int, attack: Attack) -> Lines:
        steps, length = self.steps(attack.leaps), self.max_line if attack.slides else 1
        checkpoint(len(steps) * length * TARGET_BYTES)
        count = np.arange(1, 1 + length)[:, None]
        lines: Lines = []
        for step in steps:
            target, inside = self.places(self.points[place] + count * step)
            end = length if inside.all() else int(np.argmin(inside))
            lines.append(target[:end].tolist())
        return lines


def parse_layout(
    size: Mapping[str, int],
    places: int,
    dimensions: int,
    /,
    moves: str = "",
    holes: str = "",
    friends: str = "",
    enemies: str = "",
) -> Layout:
    """Parse the options of a `board` line and number the cells.

    Parameters
    ----------
    size : mapping
        Size options of the shape, for the header.
    places : int
        Number of places.
    dimensions : int
        Number of coordinates of a leap.
    moves, holes, friends, enemies : str
        Options as in the spec language, with numbers for the names of squares.

    Raises
    ------
    InputError
        If an option is invalid; the location of the error is its name.
    """
    checkpoint(places * PLACE_BYTES)
    pieces = parse_pieces(places, size, holes, friends, enemies)
    is_cell = np.ones(places, np.bool_)
    is_cell[list(pieces.obstacles)] = False
    return Layout(
        size,
        parse_leaps(moves, dimensions),
        pieces,
        {place: attack(name, dimensions) for place, name in pieces.enemies.items()},
        np.flatnonzero(is_cell),
        np.where(is_cell, np.cumsum(is_cell) - 1, -1),
    )


def board_from(
    shape: str, layout: Layout, surface: Surface, names: Mapping[str, Value], steps: Any = None
) -> Board:
    """Return the board of a layout on a surface.

    Parameters
    ----------
    shape : str
        Name of the shape, for the header and the title.
    layout : Layout
        Cells, holes and pieces.
    surface : Surface
        Geometry of the shape.
    names : mapping
        Sets and tables of cells that specs can use.
    steps : list of lists, optional
        Moves for the header. None: the leaps.
    """
    cells = len(layout.place_of)
    size = "x".join(map(str, layout.size.values()))
    title = size if shape == "grid" else f"{shape}-{size}"
    lines = {place: surface.lines(place, attack) for place, attack in layout.attacks.items()}
    return Board(
        cells,
        _neighbours(layout, *surface.leap_pairs(layout.leaps)),
        {"squares": TupleSet((np.arange(cells),)), **names},
        {
            "shape": shape,
            **layout.size,
            "moves": [list(leap) for leap in layout.leaps] if steps is None else steps,
            **layout.pieces.description(),
        },
        title="-".join(filter(None, (title, layout.pieces.title))),
        caption=title + layout.pieces.caption(layout.size),
        guards=_guards(layout, lines),
        cell_at=layout.cell_at,
    )


def _neighbours(layout: Layout, *ends: Ints) -> KeyedSet:
    origin, target = (layout.cell_at[end] for end in ends)
    # On a small surface a leap can return to its origin, which is not a move.
    is_move = (origin >= 0) & (target >= 0) & (origin != target)
    return KeyedSet.adjacency(len(layout.place_of), origin[is_move], target[is_move])


def _guards(layout: Layout, lines_from: Mapping[int, Lines]) -> TupleSet:
    guards = sorted(
        (int(layout.cell_at[place]), int(layout.cell_at[target]))
        for place, lines in lines_from.items()
        for target in _attacked_places(place, lines, layout.pieces.obstacles)
    )
    pairs = np.array(guards, np.int64).reshape(-1, 2)
    return TupleSet((pairs[:, 0], pairs[:, 1]))


def _attacked_places(place: int, lines: Lines, obstacles: set[int]) -> set[int]:
    """Return the places that a piece attacks: holes and friends block a line, enemies do not."""
    ends = obstacles | {place}
    attacked: set[int] = set()
    for line in lines:
        length = next((k for k, target in enumerate(line) if target in ends), len(line))
        attacked.update(line[:length])
    return attacked


def cells_by_line(number: Ints, lines: int) -> KeyedSet:
    """Return the cells of each line, given the line of each cell."""
    return KeyedSet.group(number, (lines,), [np.arange(len(number))])


def square_names(row: Ints, column: Ints, rows: int, cols: int) -> dict[str, Value]:
    """Return the names that specs can use on a board with rows and columns."""
    return {
        "row": Table(row),
        "column": Table(column),
        "ranks": cells_by_line(row, rows),
        "files": cells_by_line(column, cols),
        "diagonals": cells_by_line(row - column + cols - 1, rows + cols - 1),
        "antidiagonals": cells_by_line(row + column, rows + cols - 1),
    }

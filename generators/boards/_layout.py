"""Layout of a board: places, of which some are holes or have pieces, and the numbering of cells.

The cells of a board are its places in order without holes and friends. A shape parses its line of
the spec (`parse_layout`), and makes the board (`board_from`) of a `Surface`, which has the places
that leaps join and the lines of other pieces.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.boards import Board, neighbours_from
from boardsat.generators.boards import _pieces as pieces
from boardsat.generators.boards._pieces import Attack, Leap, Pieces, attack, leaps
from boardsat.generators.language.values import KeyedSet, Table, TupleSet, Value

PLACE_BYTES, LEAP_BYTES, TARGET_BYTES = 100, 100, 40
"""Memory for each place of a board, each leap from a place, and each place that a piece attacks."""

LAYOUT_OPTIONS = {"moves": str, **pieces.OPTIONS}
"""Options of all shapes with a layout."""

Lines = list[list[int]]
"""Places that a piece reaches, line by line."""


class Layout(NamedTuple):
    """Board line of a spec, applied to a number of places."""

    size: Mapping[str, int]
    """Size options, for the header of a file."""
    moves: str
    leaps: list[Leap]
    pieces: Pieces
    attacks: Mapping[int, Attack]
    """Moves of the enemy on each place."""
    place_of: Ints
    """Place of each cell."""
    cell_at: Ints
    """Cell at each place, or -1."""


class Surface(Protocol):
    """Places of a shape, and how pieces move on them."""

    def joined(self, leaps: list[Leap]) -> tuple[Ints, Ints]:
        """Return the origins and targets of all leaps."""

    def lines(self, place: int, attack: Attack) -> Lines:
        """Return the lines of a piece on a place; a leaper has lines of one place."""


@dataclass(frozen=True)
class Lattice(ABC):
    """Surface whose places are points with integer coordinates, and whose lines repeat a step."""

    points: Ints
    """Coordinates of every place."""
    max_line: int
    """Maximum number of steps of a line."""

    @abstractmethod
    def steps(self, leaps: list[Leap]) -> Ints:
        """Return the offsets of all leaps, one in each row."""

    @abstractmethod
    def places(self, points: Ints) -> tuple[Ints, Bools]:
        """Return the places of points, and whether they are on the surface."""

    def joined(self, leaps: list[Leap]) -> tuple[Ints, Ints]:
        steps = self.steps(leaps)
        checkpoint(len(self.points) * len(steps) * LEAP_BYTES)
        target, inside = self.places(self.points[:, None] + steps)
        return np.nonzero(inside)[0], target[inside]

    def lines(self, place: int, attack: Attack) -> Lines:
        steps, length = self.steps(attack.leaps), attack.length(self.max_line)
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
    checkpoint(places * PLACE_BYTES)
    placed = pieces.read(places, size, holes, friends, enemies)
    present = np.ones(places, np.bool_)
    present[list(placed.absent)] = False
    return Layout(
        size,
        moves,
        leaps(moves, dimensions),
        placed,
        {place: attack(name, dimensions) for place, name in placed.enemies.items()},
        np.flatnonzero(present),
        np.where(present, np.cumsum(present) - 1, -1),
    )


def board_from(
    shape: str, layout: Layout, surface: Surface, names: Mapping[str, Value], steps: Any = None
) -> Board:
    """Return the board of a layout on a surface.

    Parameters
    ----------
    names : mapping
        Sets and tables of cells that specs can use.
    steps : list of lists, optional
        Moves of the leaper for the header of a file, if they are not its leaps.
    """
    cells = len(layout.place_of)
    size = "x".join(map(str, layout.size.values()))
    title = size if shape == "grid" else f"{shape}-{size}"
    lines = {place: surface.lines(place, attack) for place, attack in layout.attacks.items()}
    return Board(
        cells,
        _neighbours(layout, *surface.joined(layout.leaps)),
        {"squares": TupleSet((np.arange(cells),)), **names},
        {
            "shape": shape,
            **layout.size,
            "moves": [list(leap) for leap in layout.leaps] if steps is None else steps,
            **layout.pieces.description(),
        },
        title="-".join(filter(None, (title, layout.pieces.title))),
        words=title + layout.pieces.words(layout.size),
        guards=_guards(layout, lines),
        cell_at=layout.cell_at,
    )


def _neighbours(layout: Layout, *ends: Ints) -> KeyedSet:
    origin, target = (layout.cell_at[end] for end in ends)
    # On a small surface a leap can return to its origin: that is not a move.
    is_move = (origin >= 0) & (target >= 0) & (origin != target)
    return neighbours_from(len(layout.place_of), origin[is_move], target[is_move])


def _guards(layout: Layout, lines_from: Mapping[int, Lines]) -> TupleSet:
    guards = sorted(
        (int(layout.cell_at[place]), int(layout.cell_at[target]))
        for place, lines in lines_from.items()
        for target in _attacked(place, lines, layout.pieces.absent)
    )
    pairs = np.array(guards, np.int64).reshape(-1, 2)
    return TupleSet((pairs[:, 0], pairs[:, 1]))


def _attacked(place: int, lines: Lines, absent: set[int]) -> set[int]:
    """Return the places that a piece attacks: holes and friends block a line, enemies do not."""
    attacked: set[int] = set()
    for line in lines:
        for target in line:
            if target in absent or target == place:
                break
            attacked.add(target)
    return attacked


def by_line(number: Ints, lines: int) -> KeyedSet:
    """Return the cells of each line, given the line of each cell."""
    return KeyedSet.group(number, (lines,), [np.arange(len(number))])


def square_names(row: Ints, column: Ints, rows: int, cols: int) -> dict[str, Value]:
    """Return the sets and tables of a board with rows and columns."""
    return {
        "row": Table(row),
        "column": Table(column),
        "ranks": by_line(row, rows),
        "files": by_line(column, cols),
        "diagonals": by_line(row - column + cols - 1, rows + cols - 1),
        "antidiagonals": by_line(row + column, rows + cols - 1),
    }

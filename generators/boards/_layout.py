"""Layout of a board: places, of which some are holes or have pieces, and the numbering of cells.

The cells of a board are its places in order without holes and friends. A shape parses its line of
the spec (`parse_layout`), computes the pairs of places that its leaper joins and the lines of other
pieces, and ends with `board_from`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Ints
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


@dataclass(frozen=True)
class Layout:
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


@dataclass(frozen=True)
class Geometry:
    """Moves and lines on the places of a shape."""

    shape: str
    steps: list[list[int]]
    """Steps of the leaper, for the header of a file."""
    joined: tuple[Ints, Ints]
    """Origins and targets of all leaps."""
    lines: Mapping[int, Lines]
    """Lines from the place of each enemy; a leaper has lines of one place."""
    names: Mapping[str, Value]
    """Sets and tables of cells that specs can use."""


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


def board_from(layout: Layout, geometry: Geometry) -> Board:
    cells = len(layout.place_of)
    return Board(
        cells,
        _neighbours(layout, geometry),
        {"squares": TupleSet((np.arange(cells),)), **geometry.names},
        {
            "shape": geometry.shape,
            **layout.size,
            "moves": geometry.steps,
            **layout.pieces.description(),
        },
        title=_title(layout, geometry, layout.pieces.title),
        words=_title(layout, geometry) + layout.pieces.words(layout.size),
        guards=_guards(layout, geometry),
        cell_at=layout.cell_at,
    )


def _title(layout: Layout, geometry: Geometry, standing: str = "") -> str:
    size = "x".join(str(number) for number in layout.size.values())
    parts = ["" if geometry.shape == "grid" else geometry.shape, size, standing]
    return "-".join(part for part in parts if part)


def _neighbours(layout: Layout, geometry: Geometry) -> KeyedSet:
    origin, target = (layout.cell_at[side] for side in geometry.joined)
    # On a small surface a leap can return to its origin: that is not a move.
    is_move = (origin >= 0) & (target >= 0) & (origin != target)
    return neighbours_from(len(layout.place_of), origin[is_move], target[is_move])


def _guards(layout: Layout, geometry: Geometry) -> TupleSet:
    found = sorted(
        (int(layout.cell_at[place]), int(layout.cell_at[target]))
        for place, lines in geometry.lines.items()
        for target in _attacked(place, lines, layout.pieces.absent)
    )
    pairs = np.array(found, np.int64).reshape(-1, 2)
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

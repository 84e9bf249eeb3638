"""What the shapes of boards share: holes are left out, cells numbered, and a geometry made a board.

The cells of a board are its places in order without those that holes and friends take. A shape
reads its line (`ground_of`), works out which places its leaper joins and where lines lead, and ends
with `board_on`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Ints
from boardsat.generators.boards import Board, neighbours_from
from boardsat.generators.boards import _pieces as pieces
from boardsat.generators.boards._leapers import Attack, Leap, attack, leaps
from boardsat.generators.boards._pieces import Pieces
from boardsat.generators.language.values import KeyedSet, Table, TupleSet, Value

PLACE, WAY, TARGET = 100, 100, 40
"""Bytes for every place of a board, for every way of leaping from it, and
for every place that a piece attacks."""

OPTIONS = {"moves": str, **pieces.OPTIONS}
"""What every terrain lets a spec say."""

Lines = list[list[int]]
"""The places that a piece comes to, one after the other, line by line."""


@dataclass(frozen=True)
class Ground:
    """What the line of a spec wants of a number of places."""

    size: Mapping[str, int]
    """The options that made it, for the header of a file."""
    moves: str
    leaps: list[Leap]
    pieces: Pieces
    attacks: Mapping[int, Attack]
    """How the enemy on a place goes."""
    place_of: Ints
    """Of every cell."""
    cell_at: Ints
    """At every place; -1 where there is none."""


@dataclass(frozen=True)
class Geometry:
    shape: str
    steps: list[list[int]]
    """The leaper, as the header of a file describes it."""
    joined: tuple[Ints, Ints]
    """All pairs of places that a leap of it joins: origins, targets."""
    lines: Mapping[int, Lines]
    """From the place of each enemy; who leaps has lines of one place."""
    names: Mapping[str, Value]
    """What the board offers to specs, by cells."""


def ground_of(
    size: Mapping[str, int],
    places: int,
    dimensions: int,
    /,
    moves: str = "",
    holes: str = "",
    friends: str = "",
    enemies: str = "",
) -> Ground:
    checkpoint(places * PLACE)
    standing = pieces.read(places, size, holes, friends, enemies)
    present = np.ones(places, np.bool_)
    present[list(standing.absent)] = False
    return Ground(
        size,
        moves,
        leaps(moves, dimensions),
        standing,
        {place: attack(word, dimensions) for place, word in standing.enemies.items()},
        np.flatnonzero(present),
        np.where(present, np.cumsum(present) - 1, -1),
    )


def board_on(ground: Ground, geometry: Geometry) -> Board:
    cells = len(ground.place_of)
    return Board(
        cells,
        _neighbours(ground, geometry),
        {"squares": TupleSet((np.arange(cells),)), **geometry.names},
        {
            "shape": geometry.shape,
            **ground.size,
            "moves": geometry.steps,
            **ground.pieces.description(),
        },
        title=_title(ground, geometry, ground.pieces.title),
        words=_title(ground, geometry) + ground.pieces.words(ground.size),
        guards=_guards(ground, geometry),
        cell_at=ground.cell_at,
    )


def _title(ground: Ground, geometry: Geometry, standing: str = "") -> str:
    size = "x".join(str(number) for number in ground.size.values())
    parts = ["" if geometry.shape == "grid" else geometry.shape, size, standing]
    return "-".join(part for part in parts if part)


def _neighbours(ground: Ground, geometry: Geometry) -> KeyedSet:
    origin, target = (ground.cell_at[side] for side in geometry.joined)
    # On a small surface a leap can come back to where it began: that is no move.
    there = (origin >= 0) & (target >= 0) & (origin != target)
    return neighbours_from(len(ground.place_of), origin[there], target[there])


def _guards(ground: Ground, geometry: Geometry) -> TupleSet:
    found = sorted(
        (int(ground.cell_at[place]), int(ground.cell_at[target]))
        for place, lines in geometry.lines.items()
        for target in _attacked(place, lines, ground.pieces.absent)
    )
    pairs = np.array(found, np.int64).reshape(-1, 2)
    return TupleSet((pairs[:, 0], pairs[:, 1]))


def _attacked(place: int, lines: Lines, absent: set[int]) -> set[int]:
    """What a piece attacks; holes and friends stop a line, enemies, who may be captured, do not."""
    found: set[int] = set()
    for line in lines:
        for target in line:
            if target in absent or target == place:
                break
            found.add(target)
    return found


def by_line(number: Ints, lines: int) -> KeyedSet:
    """Cells by the number of the line that they are on."""
    return KeyedSet.group(number, (lines,), [np.arange(len(number))])


def square_names(row: Ints, column: Ints, rows: int, cols: int) -> dict[str, Value]:
    """What a board of rows and columns offers."""
    return {
        "row": Table(row),
        "column": Table(column),
        "ranks": by_line(row, rows),
        "files": by_line(column, cols),
        "diagonals": by_line(row - column + cols - 1, rows + cols - 1),
        "antidiagonals": by_line(row + column, rows + cols - 1),
    }

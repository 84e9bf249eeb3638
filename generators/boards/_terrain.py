"""From a geometry to a board: leave holes out, number the cells, and see what enemies guard.

A terrain is places and how to get from one to another. The cells of a board are its places in order
without those that holes and friends take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from boardsat.generators.boards import Board, neighbours_from
from boardsat.generators.boards import _pieces as pieces
from boardsat.generators.boards._leapers import RIDERS, Leap, leaps, steps
from boardsat.generators.boards._pieces import Pieces
from boardsat.generators.clauses.arrays import Ints
from boardsat.generators.errors import InputError
from boardsat.generators.language.values import KeyedSet, Table, TupleSet, Value

OPTIONS = {"moves": str, **pieces.OPTIONS}
"""What every terrain lets a spec say."""


@dataclass(frozen=True)
class Terrain:
    shape: str
    size: Mapping[str, int]
    """The options that made it, for the header of a file."""
    places: int
    reach: Callable[[list[Leap]], tuple[Ints, Ints]]
    """All pairs of places that leaps join: origins, targets."""
    lines: Callable[[int, str], Iterable[Iterator[int]]]
    """From a place, the places that repeated steps of a wazir or a ferz come to, line by line."""
    dimensions: int = 2
    signed: bool = False
    """Whether the header of a file lists every step of the leaper, or its leaps alone."""


def inhabit(
    terrain: Terrain,
    names: Callable[[Ints], Mapping[str, Value]],
    moves: str = "",
    holes: str = "",
    friends: str = "",
    enemies: str = "",
) -> Board:
    """The board; `names` are what it offers to specs, given the places of its cells."""
    standing = pieces.read(terrain.places, holes, friends, enemies)
    wanted = leaps(moves, terrain.dimensions)
    present = np.ones(terrain.places, np.bool_)
    present[list(standing.absent)] = False
    place_of = np.flatnonzero(present)
    cell_at = np.where(present, np.cumsum(present) - 1, -1)
    neighbours = _neighbours(terrain, wanted, cell_at, len(place_of))
    if moves and not len(neighbours.columns[0]):
        size = " x ".join(str(number) for number in terrain.size.values())
        kind = "" if terrain.shape == "grid" else f"{terrain.shape} "
        raise InputError(f"a {moves} has no move on a {size} {kind}board", "enlarge the board")
    guards = sorted(
        (int(cell_at[place]), int(cell_at[target]))
        for place, word in standing.enemies.items()
        for target in _attacked(terrain, place, word, standing.absent)
    )
    pairs = np.array(guards, np.int64).reshape(-1, 2)
    return Board(
        len(place_of),
        neighbours,
        {"squares": TupleSet((np.arange(len(place_of)),)), **names(place_of)},
        {
            "shape": terrain.shape,
            **terrain.size,
            "moves": steps(wanted).tolist() if terrain.signed else [list(leap) for leap in wanted],
            **standing.description(),
        },
        title=_title(terrain, standing),
        guards=TupleSet((pairs[:, 0], pairs[:, 1])),
        cell_at=cell_at,
    )


def _title(terrain: Terrain, standing: Pieces) -> str:
    size = "x".join(str(number) for number in terrain.size.values())
    parts = ["" if terrain.shape == "grid" else terrain.shape, size, standing.title]
    return "-".join(part for part in parts if part)


def _neighbours(terrain: Terrain, wanted: list[Leap], cell_at: Ints, cells: int) -> KeyedSet:
    if not wanted:
        nothing = np.zeros(0, np.int64)
        return neighbours_from(cells, nothing, nothing)
    origin, target = (cell_at[side] for side in terrain.reach(wanted))
    # On a small surface a leap can come back to where it began: that is no move.
    there = (origin >= 0) & (target >= 0) & (origin != target)
    return neighbours_from(cells, origin[there], target[there])


def _attacked(terrain: Terrain, place: int, word: str, absent: set[int]) -> set[int]:
    """What a piece attacks; holes and friends stop a line, enemies, who may be captured, do not."""
    found: set[int] = set()
    if word in RIDERS:
        for step in RIDERS[word]:
            for line in terrain.lines(place, step):
                for target in line:
                    if target in absent or target == place:
                        break
                    found.add(target)
        return found
    origins, targets = terrain.reach(leaps(word, terrain.dimensions))
    return set(targets[origins == place].tolist()) - absent - {place}


def lines_of(number: Ints, lines: int) -> KeyedSet:
    """Cells by the number of the line that they are on."""
    return KeyedSet.group(number, (lines,), [np.arange(len(number))])


def square_names(row: Ints, column: Ints, rows: int, cols: int) -> dict[str, Value]:
    """What a board of rows and columns offers."""
    return {
        "row": Table(row),
        "column": Table(column),
        "ranks": lines_of(row, rows),
        "files": lines_of(column, cols),
        "diagonals": lines_of(row - column + cols - 1, rows + cols - 1),
        "antidiagonals": lines_of(row + column, rows + cols - 1),
    }

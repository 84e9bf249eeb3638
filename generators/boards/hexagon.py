"""A hexagon of hexagonal cells, numbered row by row; a leaper goes a, turns by 60 degrees, goes b.

A cell has axial coordinates: its row r, and q along it. Of the third, -q-r, nobody speaks here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np

from boardsat.generators.boards import Board
from boardsat.generators.boards._leapers import Leap, leaps
from boardsat.generators.boards._terrain import OPTIONS as TERRAIN_OPTIONS
from boardsat.generators.boards._terrain import Terrain, inhabit, lines_of
from boardsat.generators.clauses.arrays import Bools, Ints
from boardsat.generators.errors import InputError
from boardsat.generators.language.values import Table, Value
from boardsat.generators.limits import check_materialised

OPTIONS = {"side": int, **TERRAIN_OPTIONS}

_AROUND = np.array([(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)])
"""The steps (r, q) to the six neighbours in order, and to the first again."""


def build(side: int, **more: str) -> Board:
    if side < 1:
        raise InputError(f"a hexagon of side {side}", "give at least 1")
    count = check_materialised(3 * side * (side - 1) + 1, "the board", "")
    rows = 2 * side - 1
    r = np.arange(rows) - side + 1
    # A row begins further left the further down it is, until the middle of the board.
    leftmost = np.maximum(-side + 1, -side + 1 - r)
    lengths = rows - np.abs(r)
    first = np.cumsum(lengths) - lengths
    row = np.repeat(np.arange(rows), lengths)
    at = np.column_stack([r[row], np.arange(count) - first[row] + leftmost[row]])

    def places(point: Ints) -> tuple[Ints, Bools]:
        to_row, along = point[..., 0] + side - 1, point[..., 1]
        inside = (to_row >= 0) & (to_row < rows)
        to_row = np.where(inside, to_row, 0)
        inside &= (along >= leftmost[to_row]) & (along < leftmost[to_row] + lengths[to_row])
        return first[to_row] + along - leftmost[to_row], inside

    def reach(wanted: list[Leap]) -> tuple[Ints, Ints]:
        ways = _steps(wanted)
        check_materialised(count * (1 + len(ways)), "the board", "")
        target, inside = places(at[:, None] + ways)
        return np.nonzero(inside)[0], target[inside]

    def lines(origin: int, word: str) -> Iterator[Iterator[int]]:
        for step in _steps(leaps(word)):
            target, inside = places(at[origin] + np.arange(1, rows)[:, None] * step)
            yield iter(target[inside].tolist())

    def names(place_of: Ints) -> Mapping[str, Value]:
        return {"row": Table(row[place_of]), "ranks": lines_of(row[place_of], rows)}

    terrain = Terrain("hexagon", {"side": side}, count, reach, lines)
    return inhabit(terrain, names, **more)


def _steps(wanted: list[Leap]) -> Ints:
    """A leap along every two neighbouring directions, either of them first."""
    found = {
        tuple((a * u + b * v).tolist())
        for leap in wanted
        for a, b in (leap, leap[::-1])
        for u, v in pairwise(_AROUND)
    }
    return np.array(sorted(found), np.int64).reshape(-1, 2)

"""The surface of a cube, numbered face by face as its net shows them, in each row by row:

         up
    left front right back
         down

A leaper goes a squares straight ahead, turns left or right, and goes b; or b first and then a. Over
an edge straight ahead goes on on the next face. Near a corner, where only three squares meet, the
two orders can lead to different squares, and both are moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from boardsat.generators.boards import Board
from boardsat.generators.boards._leapers import Leap
from boardsat.generators.boards._terrain import OPTIONS as TERRAIN_OPTIONS
from boardsat.generators.boards._terrain import Terrain, inhabit, lines_of
from boardsat.generators.clauses.arrays import Bools, Ints
from boardsat.generators.errors import InputError
from boardsat.generators.language.values import Table, Value
from boardsat.generators.limits import check_materialised

OPTIONS = {"side": int, **TERRAIN_OPTIONS}

# In space x goes right, y down and z towards us.
_X, _Y, _Z = np.eye(3, dtype=np.int64)
_FACES = (
    (_Z, _X, -_Y),
    (_Y, _Z, -_X),
    (_Y, _X, _Z),
    (_Y, -_Z, _X),
    (_Y, -_X, -_Z),
    (-_Z, _X, _Y),
)
"""Of each face: where its rows and its columns go, and which way it looks."""
_WAYS = 16
"""Of a leaper: four ways ahead, two hands, two orders."""


@dataclass(frozen=True)
class _Walkers:
    """On every square one, its face's normal and the way ahead: unit vectors, a row each."""

    at: Ints
    """Twice the middle of the square, with the cube's own middle at 0."""
    normal: Ints
    ahead: Ints

    def forward(self, side: int, squares: int = 1) -> _Walkers:
        at, normal, ahead = self.at, self.normal, self.ahead
        for _ in range(squares):
            beyond = at + 2 * ahead
            over: Bools = (np.abs((beyond * ahead).sum(axis=1)) > side)[:, None]
            at = np.where(over, at + ahead - normal, beyond)
            normal, ahead = np.where(over, ahead, normal), np.where(over, -normal, ahead)
        return _Walkers(at, normal, ahead)

    def turned(self, hand: int) -> _Walkers:
        return _Walkers(self.at, self.normal, hand * np.cross(self.normal, self.ahead))


def build(side: int, **more: str) -> Board:
    if side < 1:
        raise InputError(f"a cube of side {side}", "give at least 1")
    count = 6 * side * side
    check_materialised(count * (1 + _WAYS), "the board", "")
    face, row, column = np.unravel_index(np.arange(count), (6, side, side))
    down, right, normal = (np.array(part)[face] for part in zip(*_FACES, strict=True))
    at = (
        (2 * row[:, None] - side + 1) * down
        + (2 * column[:, None] - side + 1) * right
        + side * normal
    )
    order = np.argsort(_keys(at, side))
    ordered = _keys(at, side)[order]

    def place(walkers: _Walkers) -> Ints:
        numbers: Ints = order[np.searchsorted(ordered, _keys(walkers.at, side))]
        return numbers

    def reach(wanted: list[Leap]) -> tuple[Ints, Ints]:
        check_materialised(count * (1 + _WAYS * len(wanted)), "the board", "")
        targets = [
            place(_Walkers(at, normal, ahead).forward(side, a).turned(hand).forward(side, b))
            for leap in wanted
            for a, b in (leap, leap[::-1])
            for ahead in (down, right, -down, -right)
            for hand in (1, -1)
        ]
        return np.tile(np.arange(count), len(targets)), np.concatenate(targets)

    def lines(origin: int, word: str) -> Iterator[Iterator[int]]:
        for ahead in (down, right, -down, -right):
            walker = _Walkers(*(part[[origin]] for part in (at, normal, ahead)))
            path = _straight(walker, side) if word == "wazir" else _slanted(walker, side)
            yield (int(place(here)[0]) for here in path)

    def names(place_of: Ints) -> Mapping[str, Value]:
        return {
            "face": Table(face[place_of]),
            "row": Table(row[place_of]),
            "column": Table(column[place_of]),
            "faces": lines_of(face[place_of], 6),
        }

    terrain = Terrain("cube", {"side": side}, count, reach, lines)
    return inhabit(terrain, names, **more)


def _keys(at: Ints, side: int) -> Ints:
    """A number for every point."""
    width = 2 * side + 1
    x, y, z = (at + side).T
    keys: Ints = (x * width + y) * width + z
    return keys


def _straight(walker: _Walkers, side: int) -> Iterator[_Walkers]:
    """Once around the cube."""
    for _ in range(4 * side):
        walker = walker.forward(side)
        yield walker


def _slanted(walker: _Walkers, side: int) -> Iterator[_Walkers]:
    """Ahead and to the right, until a corner of the cube, where that has no meaning."""
    for _ in range(24 * side * side):
        walker_first = walker.forward(side).turned(1).forward(side).turned(-1)
        walker_last = walker.turned(1).forward(side).turned(-1).forward(side)
        if (walker_first.at != walker_last.at).any():
            return
        walker = walker_first
        yield walker

"""The surface of a cube, numbered face by face as its net shows them, in each row by row:

         up
    left front right back
         down

A leaper moves a squares straight ahead, turns left or right, and moves b; or b first and then a. A
straight line continues over an edge on the next face. Near a corner, where only three squares meet,
the two orders can lead to different squares, and both are moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.boards import Board, BoardSymmetry
from boardsat.generators.boards._layout import (
    LAYOUT_OPTIONS,
    LEAP_BYTES,
    Lines,
    board_from,
    by_line,
    parse_layout,
)
from boardsat.generators.boards._pieces import Attack, Leap
from boardsat.generators.boards._symmetries import point_symmetries, signed_permutations
from boardsat.generators.language.values import Table, Value

OPTIONS = {"side": int, **LAYOUT_OPTIONS}

# Axes: x to the right, y down, z towards the viewer.
_X, _Y, _Z = np.eye(3, dtype=np.int64)
_FACES = (
    (_Z, _X, -_Y),
    (_Y, _Z, -_X),
    (_Y, _X, _Z),
    (_Y, -_Z, _X),
    (_Y, -_X, -_Z),
    (-_Z, _X, _Y),
)
"""Directions of rows and columns, and normal, of each face."""
_LEAPS_PER_SQUARE = 16
"""Four directions, two hands, two orders."""


@dataclass(frozen=True)
class _Walkers:
    """Walkers on squares, one in each row: centre of the square, normal, and direction."""

    at: Ints
    """Twice the centre of the square, with the cube's centre at 0."""
    normal: Ints
    ahead: Ints

    def forward(self, side: int, squares: int = 1) -> _Walkers:
        at, normal, ahead = self.at, self.normal, self.ahead
        for _ in range(squares):
            checkpoint()
            beyond = at + 2 * ahead
            over: Bools = (np.abs((beyond * ahead).sum(axis=1)) > side)[:, None]
            at = np.where(over, at + ahead - normal, beyond)
            normal, ahead = np.where(over, ahead, normal), np.where(over, -normal, ahead)
        return _Walkers(at, normal, ahead)

    def turned(self, hand: int) -> _Walkers:
        return _Walkers(self.at, self.normal, hand * np.cross(self.normal, self.ahead))

    def on(self, place: int) -> _Walkers:
        """Return the walker on a place alone."""
        return _Walkers(*(part[[place]] for part in (self.at, self.normal, self.ahead)))


@dataclass(frozen=True)
class _Surface:
    side: int
    walkers: tuple[_Walkers, ...]
    """A walker on every square, for each of the four directions."""
    order: Ints
    """Squares sorted by the keys of their centres."""

    def places(self, at: Ints) -> Ints:
        """Return the places of squares, given by their centres."""
        keys = _keys(self.walkers[0].at[self.order], self.side)
        numbers: Ints = self.order[np.searchsorted(keys, _keys(at, self.side))]
        return numbers

    def joined(self, leaps: list[Leap]) -> tuple[Ints, Ints]:
        count = 6 * self.side**2
        ends = _leap_ends(self.side, self.walkers, leaps)
        return np.tile(np.arange(count), len(ends) // count), self.places(ends)

    def lines(self, place: int, attack: Attack) -> Lines:
        walkers = [each.on(place) for each in self.walkers]
        if not attack.slides:
            ends = self.places(_leap_ends(self.side, walkers, attack.leaps))
            return [[end] for end in ends.tolist()]
        return [
            self.places(_line(walker, self.side, leap)).tolist()
            for leap in attack.leaps
            for walker in walkers
        ]


def build(side: int, **more: str) -> Board:
    if side < 1:
        raise InputError(f"a cube of side {side}", "give at least 1")
    count = 6 * side * side
    layout = parse_layout({"side": side}, count, 2, **more)
    checkpoint(count * _LEAPS_PER_SQUARE * len(layout.leaps) * LEAP_BYTES)
    face, row, column = np.unravel_index(layout.place_of, (6, side, side))
    names: dict[str, Value] = {
        "face": Table(face),
        "row": Table(row),
        "column": Table(column),
        "faces": by_line(face, 6),
    }
    return board_from("cube", layout, _surface(side), names)


def symmetries(side: int) -> list[BoardSymmetry]:
    return point_symmetries(_surface(side).walkers[0].at, signed_permutations(3))


def _surface(side: int) -> _Surface:
    face, row, column = np.unravel_index(np.arange(6 * side * side), (6, side, side))
    down, right, normal = (np.array(part)[face] for part in zip(*_FACES, strict=True))
    at = (
        (2 * row[:, None] - side + 1) * down
        + (2 * column[:, None] - side + 1) * right
        + side * normal
    )
    ways = (down, right, -down, -right)
    walkers = tuple(_Walkers(at, normal, ahead) for ahead in ways)
    return _Surface(side, walkers, np.argsort(_keys(at, side)))


def _leap_ends(side: int, walkers: Sequence[_Walkers], leaps: list[Leap]) -> Ints:
    """Return where the leaps of all walkers end, for each direction and hand."""
    ends = [
        walker.forward(side, a).turned(hand).forward(side, b).at
        for leap in leaps
        for a, b in (leap, leap[::-1])
        for walker in walkers
        for hand in (1, -1)
    ]
    return np.array(ends, np.int64).reshape(-1, 3)


def _line(walker: _Walkers, side: int, leap: Leap) -> Ints:
    """Return what a walker passes in steps of a wazir or a ferz, until it is back."""
    path = _slanted(walker, side) if all(leap) else _straight(walker, side)
    passed: list[Ints] = []
    for here in path:
        checkpoint()
        if (here.at == walker.at).all():
            break
        passed.append(here.at)
    return np.array(passed, np.int64).reshape(-1, 3)


def _keys(at: Ints, side: int) -> Ints:
    """Return a number for every point."""
    width = 2 * side + 1
    x, y, z = (at + side).T
    keys: Ints = (x * width + y) * width + z
    return keys


def _straight(walker: _Walkers, side: int) -> Iterator[_Walkers]:
    """Yield the walker on its way around the cube."""
    for _ in range(4 * side):
        walker = walker.forward(side)
        yield walker


def _slanted(walker: _Walkers, side: int) -> Iterator[_Walkers]:
    """Yield the walker on a diagonal, until a corner of the cube, where it has no meaning."""
    for _ in range(24 * side * side):
        walker_first = walker.forward(side).turned(1).forward(side).turned(-1)
        walker_last = walker.turned(1).forward(side).turned(-1).forward(side)
        if (walker_first.at != walker_last.at).any():
            return
        walker = walker_first
        yield walker

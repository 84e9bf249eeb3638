"""Surface of a cube, numbered face by face as in its net, and row by row in each face:

         up
    left front right back
         down

A leaper (a,b) moves a squares ahead, turns left or right, and moves b squares; or b first and then
a. A straight line continues over an edge on the adjacent face. Near a corner, where only three
squares meet, the two orders can lead to different squares, and both are moves.
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
    cells_by_line,
    parse_layout,
)
from boardsat.generators.boards._pieces import Attack, Leap
from boardsat.generators.boards._symmetries import (
    point_indices,
    point_symmetries,
    signed_permutations,
)
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
_LEAPS_PER_SQUARE = 16  # four headings, left or right, two orders


@dataclass(frozen=True)
class _Frames:
    """Moving frames on the surface: position, normal and heading, one in each row."""

    centre: Ints
    """Twice the centre of the square, with the cube's centre at the origin."""
    normal: Ints
    heading: Ints

    def forward(self, side: int, squares: int = 1) -> _Frames:
        """Return the frames after a number of squares straight ahead."""
        centre, normal, heading = self.centre, self.normal, self.heading
        for _ in range(squares):
            checkpoint()
            ahead = centre + 2 * heading
            over: Bools = (np.abs((ahead * heading).sum(axis=1)) > side)[:, None]
            centre = np.where(over, centre + heading - normal, ahead)
            normal, heading = np.where(over, heading, normal), np.where(over, -normal, heading)
        return _Frames(centre, normal, heading)

    def turn(self, hand: int) -> _Frames:
        """Return the frames after a rotation by 90 degrees: 1 and -1 are opposite directions."""
        return _Frames(self.centre, self.normal, hand * np.cross(self.normal, self.heading))


@dataclass(frozen=True)
class _Surface:
    side: int
    frames: tuple[_Frames, ...]
    """Frames on all squares, for each of the four headings."""

    def places(self, centres: Ints) -> Ints:
        """Return the places of squares, given by their centres."""
        return point_indices(self.frames[0].centre, centres)[0]

    def leap_pairs(self, leaps: list[Leap]) -> tuple[Ints, Ints]:
        count = 6 * self.side**2
        ends = _leap_ends(self.side, self.frames, leaps)
        return np.tile(np.arange(count), len(ends) // count), self.places(ends)

    def lines(self, place: int, attack: Attack) -> Lines:
        frames = [
            _Frames(f.centre[[place]], f.normal[[place]], f.heading[[place]]) for f in self.frames
        ]
        if not attack.slides:
            ends = self.places(_leap_ends(self.side, frames, attack.leaps))
            return ends.reshape(-1, 1).tolist()
        return [
            self.places(_line(frame, self.side, leap)).tolist()
            for leap in attack.leaps
            for frame in frames
        ]


def build(side: int, **options: str) -> Board:
    if side < 1:
        raise InputError(f"`side` must be at least 1 (got {side})", "try 4")
    count = 6 * side * side
    layout = parse_layout({"side": side}, count, 2, **options)
    checkpoint(count * _LEAPS_PER_SQUARE * len(layout.leaps) * LEAP_BYTES)
    face, row, column = np.unravel_index(layout.place_of, (6, side, side))
    names: dict[str, Value] = {
        "face": Table(face),
        "row": Table(row),
        "column": Table(column),
        "faces": cells_by_line(face, 6),
    }
    return board_from("cube", layout, _surface(side), names)


def symmetries(side: int) -> list[BoardSymmetry]:
    return point_symmetries(_surface(side).frames[0].centre, signed_permutations(3))


def _surface(side: int) -> _Surface:
    face, row, column = np.unravel_index(np.arange(6 * side * side), (6, side, side))
    down, right, normal = (np.array(vectors)[face] for vectors in zip(*_FACES, strict=True))
    y, x = 2 * row[:, None] - side + 1, 2 * column[:, None] - side + 1
    centre = y * down + x * right + side * normal
    headings = (down, right, -down, -right)
    return _Surface(side, tuple(_Frames(centre, normal, heading) for heading in headings))


def _leap_ends(side: int, frames: Sequence[_Frames], leaps: list[Leap]) -> Ints:
    """Return the centres of the squares where the leaps of all frames end."""
    ends = [
        frame.forward(side, a).turn(hand).forward(side, b).centre
        for leap in leaps
        for a, b in (leap, leap[::-1])
        for frame in frames
        for hand in (1, -1)
    ]
    return np.array(ends, np.int64).reshape(-1, 3)


def _line(frame: _Frames, side: int, leap: Leap) -> Ints:
    """Return the centres of squares on a line of wazir or ferz steps, until it closes or ends."""
    path = _diagonal(frame, side) if all(leap) else _orthogonal(frame, side)
    centres: list[Ints] = []
    for step in path:
        checkpoint()
        if (step.centre == frame.centre).all():
            break
        centres.append(step.centre)
    return np.array(centres, np.int64).reshape(-1, 3)


def _orthogonal(frame: _Frames, side: int) -> Iterator[_Frames]:
    """Yield the frames on a straight line around the cube."""
    for _ in range(4 * side):
        frame = frame.forward(side)
        yield frame


def _diagonal(frame: _Frames, side: int) -> Iterator[_Frames]:
    """Yield the frames on a diagonal, up to a corner of the cube, where it is undefined."""
    for _ in range(24 * side * side):
        ahead_first = frame.forward(side).turn(1).forward(side).turn(-1)
        ahead_last = frame.turn(1).forward(side).turn(-1).forward(side)
        if (ahead_first.centre != ahead_last.centre).any():
            return
        frame = ahead_first
        yield frame

"""The ways to put a board on itself: turns, reflections and shifts, as maps of its places."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations, product

import numpy as np

from boardsat.generators.arrays import Ints, distinct
from boardsat.generators.boards import Turn

NOTHING = "no turn"
_TURNS = {2: "half turn", 3: "turn by 120 degrees", 4: "quarter turn", 6: "turn by 60 degrees"}


def square_turns(dimensions: int) -> list[Ints]:
    """The turns and reflections of a square or a cube around its middle, as matrices."""
    found = []
    for order in permutations(range(dimensions)):
        for signs in product((1, -1), repeat=dimensions):
            matrix = np.zeros((dimensions, dimensions), np.int64)
            matrix[np.arange(dimensions), order] = signs
            found.append(matrix)
    return found


def turn_name(matrix: Ints) -> str:
    """What people call it."""
    one = np.eye(len(matrix), dtype=np.int64)
    order, power = 1, matrix
    while (power != one).any():
        order, power = order + 1, power @ matrix
    if round(np.linalg.det(matrix)) == 1:
        return _TURNS.get(order, NOTHING)
    if order == 2 and np.trace(matrix) == len(matrix) - 2:
        straight = not np.any(matrix - np.diag(np.diag(matrix)))
        return "reflection" if straight else "diagonal reflection"
    return "point reflection" if order == 2 else "rotary reflection"


def turns_of(points: Ints, matrices: Iterable[Ints]) -> list[Turn]:
    """Those that put the points, one for every place, on themselves."""
    found = []
    for matrix in matrices:
        moved = points @ matrix.T
        keys, wanted = _keys(points, moved)
        order = np.argsort(keys)
        place = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
        image = order[place]
        if np.array_equal(keys[image], wanted):
            found.append(Turn(turn_name(matrix), image))
    return different(found)


def different(turns: Iterable[Turn]) -> list[Turn]:
    """Each map of places once: on a small board two of them may do the same."""
    found: dict[bytes, Turn] = {}
    for turn in turns:
        if len(distinct(turn.image)) == len(turn.image):
            found.setdefault(turn.image.tobytes(), turn)
    return list(found.values())


def _keys(*points: Ints) -> list[Ints]:
    """A number for every point."""
    most = max(int(np.abs(each).max(initial=0)) for each in points)
    powers = (2 * most + 1) ** np.arange(points[0].shape[1])
    return [(each + most) @ powers for each in points]

"""A box of cells in three dimensions, numbered layer by layer, in each row by row."""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.boards import Board, Turn
from boardsat.generators.boards._leapers import Attack, Leap, steps
from boardsat.generators.boards._terrain import OPTIONS as TERRAIN_OPTIONS
from boardsat.generators.boards._terrain import WAY, Geometry, Lines, board_on, by_line, ground_of
from boardsat.generators.boards._turns import square_turns, turns_of
from boardsat.generators.language.values import Table

OPTIONS = {"layers": int, "rows": int, "cols": int, **TERRAIN_OPTIONS}

Extent = tuple[int, int, int]


def build(layers: int, rows: int, cols: int, **more: str) -> Board:
    extent = (layers, rows, cols)
    if min(extent) < 1:
        raise InputError(f"a box of {layers} x {rows} x {cols}", "give at least one of each")
    size = {"layers": layers, "rows": rows, "cols": cols}
    wanted = ground_of(size, layers * rows * cols, 3, **more)
    layer, row, column = np.unravel_index(wanted.place_of, extent)
    geometry = Geometry(
        "box",
        [list(leap) for leap in wanted.leaps],
        _joined(extent, wanted.leaps),
        {place: _lines(extent, place, attack) for place, attack in wanted.attacks.items()},
        {
            "layer": Table(layer),
            "row": Table(row),
            "column": Table(column),
            "floors": by_line(layer, layers),
        },
    )
    return board_on(wanted, geometry)


def turns(layers: int, rows: int, cols: int) -> list[Turn]:
    extent = (layers, rows, cols)
    point = np.column_stack(np.unravel_index(np.arange(layers * rows * cols), extent))
    return turns_of(2 * point - np.array(extent) + 1, square_turns(3))


def _joined(extent: Extent, leaps: list[Leap]) -> tuple[Ints, Ints]:
    """All pairs of places that leaps join."""
    ways = steps(leaps, 3)
    count = int(np.prod(extent))
    checkpoint(count * len(ways) * WAY)
    point = np.column_stack(np.unravel_index(np.arange(count), extent))[:, None] + ways
    inside = _inside(extent, point)
    return np.nonzero(inside)[0], _places(extent, point[inside])


def _lines(extent: Extent, place: int, attack: Attack) -> Lines:
    count = np.arange(1, 1 + attack.length(max(extent) - 1))[:, None]
    origin = np.array(np.unravel_index(place, extent))
    points = [origin + count * step for step in steps(attack.leaps, 3)]
    return [_places(extent, point[_inside(extent, point)]).tolist() for point in points]


def _inside(extent: Extent, point: Ints) -> Bools:
    inside: Bools = np.logical_and.reduce((point >= 0) & (point < extent), axis=-1)
    return inside


def _places(extent: Extent, point: Ints) -> Ints:
    _, rows, cols = extent
    numbers: Ints = (point[..., 0] * rows + point[..., 1]) * cols + point[..., 2]
    return numbers

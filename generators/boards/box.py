"""A box of cells in three dimensions, numbered layer by layer, in each row by row."""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.boards import Board, BoardSymmetry
from boardsat.generators.boards._layout import (
    LAYOUT_OPTIONS,
    LEAP_BYTES,
    Geometry,
    Lines,
    board_from,
    by_line,
    parse_layout,
)
from boardsat.generators.boards._pieces import Attack, Leap, steps
from boardsat.generators.boards._symmetries import point_symmetries, signed_permutations
from boardsat.generators.language.values import Table

OPTIONS = {"layers": int, "rows": int, "cols": int, **LAYOUT_OPTIONS}

Extent = tuple[int, int, int]


def build(layers: int, rows: int, cols: int, **more: str) -> Board:
    extent = (layers, rows, cols)
    if min(extent) < 1:
        raise InputError(f"a box of {layers} x {rows} x {cols}", "give at least one of each")
    size = {"layers": layers, "rows": rows, "cols": cols}
    layout = parse_layout(size, layers * rows * cols, 3, **more)
    layer, row, column = np.unravel_index(layout.place_of, extent)
    geometry = Geometry(
        "box",
        [list(leap) for leap in layout.leaps],
        _joined(extent, layout.leaps),
        {place: _lines(extent, place, attack) for place, attack in layout.attacks.items()},
        {
            "layer": Table(layer),
            "row": Table(row),
            "column": Table(column),
            "floors": by_line(layer, layers),
        },
    )
    return board_from(layout, geometry)


def symmetries(layers: int, rows: int, cols: int) -> list[BoardSymmetry]:
    extent = (layers, rows, cols)
    point = np.column_stack(np.unravel_index(np.arange(layers * rows * cols), extent))
    return point_symmetries(2 * point - np.array(extent) + 1, signed_permutations(3))


def _joined(extent: Extent, leaps: list[Leap]) -> tuple[Ints, Ints]:
    """All pairs of places that leaps join."""
    ways = steps(leaps, 3)
    count = int(np.prod(extent))
    checkpoint(count * len(ways) * LEAP_BYTES)
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

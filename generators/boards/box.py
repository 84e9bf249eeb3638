"""Cuboid of cells in three dimensions, numbered by layer, row and column."""

from __future__ import annotations

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.boards import Board, BoardSymmetry
from boardsat.generators.boards._layout import (
    LAYOUT_OPTIONS,
    Lattice,
    board_from,
    cells_by_line,
    parse_layout,
)
from boardsat.generators.boards._pieces import Leap, steps
from boardsat.generators.boards._symmetries import point_symmetries, signed_permutations
from boardsat.generators.language.values import Table, Value

OPTIONS = {"layers": int, "rows": int, "cols": int, **LAYOUT_OPTIONS}


@dataclass(frozen=True)
class _Box(Lattice):
    """Cuboid with one corner at the origin."""

    extent: tuple[int, int, int]

    def steps(self, leaps: list[Leap]) -> Ints:
        return steps(leaps, 3)

    def places(self, points: Ints) -> tuple[Ints, Bools]:
        _, rows, cols = self.extent
        inside: Bools = np.logical_and.reduce((points >= 0) & (points < self.extent), axis=-1)
        return (points[..., 0] * rows + points[..., 1]) * cols + points[..., 2], inside


def build(layers: int, rows: int, cols: int, **options: str) -> Board:
    extent = (layers, rows, cols)
    if min(extent) < 1:
        got = f"{layers}, {rows} and {cols}"
        raise InputError(
            f"`layers`, `rows` and `cols` must be at least 1 (got {got})", "try 4 x 4 x 4"
        )
    size = {"layers": layers, "rows": rows, "cols": cols}
    layout = parse_layout(size, layers * rows * cols, 3, **options)
    layer, row, column = np.unravel_index(layout.place_of, extent)
    names: dict[str, Value] = {
        "layer": Table(layer),
        "row": Table(row),
        "column": Table(column),
        "floors": cells_by_line(layer, layers),
    }
    return board_from("box", layout, _Box(_points(extent), max(extent) - 1, extent), names)


def symmetries(layers: int, rows: int, cols: int) -> list[BoardSymmetry]:
    extent = (layers, rows, cols)
    return point_symmetries(2 * _points(extent) - np.array(extent) + 1, signed_permutations(3))


def _points(extent: tuple[int, int, int]) -> Ints:
    return np.column_stack(np.unravel_index(np.arange(np.prod(extent)), extent))

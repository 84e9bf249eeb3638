"""A box of cells in three dimensions, numbered layer by layer, in each row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from boardsat.generators.boards import Board
from boardsat.generators.boards._leapers import Leap, leaps, steps
from boardsat.generators.boards._terrain import OPTIONS as TERRAIN_OPTIONS
from boardsat.generators.boards._terrain import Terrain, inhabit, lines_of
from boardsat.generators.clauses.arrays import Ints
from boardsat.generators.errors import InputError
from boardsat.generators.language.values import Table, Value
from boardsat.generators.limits import check_materialised

OPTIONS = {"layers": int, "rows": int, "cols": int, **TERRAIN_OPTIONS}

_LINES = {"wazir": "wazir", "ferz": "ferz+1,1,1"}
"""A bishop goes along both kinds of diagonals, so that a queen goes wherever a king can step."""


def build(layers: int, rows: int, cols: int, **more: str) -> Board:
    extent = np.array([layers, rows, cols])
    if extent.min() < 1:
        raise InputError(f"a box of {layers} x {rows} x {cols} cells", "give at least one of each")
    count = check_materialised(layers * rows * cols, "the board", "")
    at = np.column_stack(np.unravel_index(np.arange(count), (layers, rows, cols)))

    def place(point: Ints) -> Ints:
        numbers: Ints = (point[..., 0] * rows + point[..., 1]) * cols + point[..., 2]
        return numbers

    def reach(wanted: list[Leap]) -> tuple[Ints, Ints]:
        ways = steps(wanted, 3)
        check_materialised(count * (1 + len(ways)), "the board", "")
        point = at[:, None] + ways
        inside = ((point >= 0) & (point < extent)).all(axis=-1)
        return np.nonzero(inside)[0], place(point[inside])

    def lines(origin: int, word: str) -> Iterator[Iterator[int]]:
        for step in steps(leaps(_LINES[word], 3), 3):
            point = at[origin] + np.arange(1, extent.max())[:, None] * step
            inside = ((point >= 0) & (point < extent)).all(axis=1)
            yield iter(place(point[inside]).tolist())

    def names(place_of: Ints) -> Mapping[str, Value]:
        layer, row, column = at[place_of].T
        return {
            "layer": Table(layer),
            "row": Table(row),
            "column": Table(column),
            "floors": lines_of(layer, layers),
        }

    size = {"layers": layers, "rows": rows, "cols": cols}
    terrain = Terrain("box", size, count, reach, lines, dimensions=3)
    return inhabit(terrain, names, **more)

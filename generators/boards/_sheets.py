"""A sheet of squares whose sides may be glued: a rectangle, cylinder, torus and their like.

Such a surface is the plane folded up: a leaper moves in the plane, and folding tells which place of
the sheet it has come to. So a shape is one function, `fold`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from boardsat.generators.boards import Board
from boardsat.generators.boards._leapers import Leap, leaps, steps
from boardsat.generators.boards._terrain import OPTIONS as TERRAIN_OPTIONS
from boardsat.generators.boards._terrain import Terrain, inhabit, square_names
from boardsat.generators.clauses.arrays import Bools, Ints
from boardsat.generators.errors import InputError
from boardsat.generators.language.values import Value
from boardsat.generators.limits import check_materialised

OPTIONS = {"rows": int, "cols": int, **TERRAIN_OPTIONS}

Fold = Callable[[Ints, Ints, int, int], tuple[Ints, Ints]]
"""From rows and columns of the plane to those of the sheet; outside it where there is no way."""


def sheet(shape: str, fold: Fold, rows: int, cols: int, **more: str) -> Board:
    if rows < 1 or cols < 1:
        raise InputError(f"a board of {rows} x {cols} squares", "give at least one row and column")
    check_materialised(rows * cols, "the board", "")
    row, column = np.divmod(np.arange(rows * cols), cols)

    def places(to_row: Ints, to_column: Ints) -> tuple[Ints, Bools]:
        """Where points of the plane are on the sheet, and whether they are on it."""
        x, y = fold(to_row, to_column, rows, cols)
        inside = (x >= 0) & (x < rows) & (y >= 0) & (y < cols)
        return x * cols + y, inside

    def reach(wanted: list[Leap]) -> tuple[Ints, Ints]:
        ways = steps(wanted)
        check_materialised(len(row) * (1 + len(ways)), "the board", "")
        target, inside = places(row[:, None] + ways[:, 0], column[:, None] + ways[:, 1])
        return np.nonzero(inside)[0], target[inside]

    def lines(place: int, word: str) -> Iterator[Iterator[int]]:
        # A line that does not leave the sheet is back where it began after this many steps.
        count = np.arange(1, 2 * rows * cols + 1)
        for down, right in steps(leaps(word)).tolist():
            target, inside = places(row[place] + count * down, column[place] + count * right)
            length = len(count) if inside.all() else int(np.argmin(inside))
            yield iter(target[:length].tolist())

    def names(place_of: Ints) -> Mapping[str, Value]:
        return square_names(row[place_of], column[place_of], rows, cols)

    size = {"rows": rows, "cols": cols}
    terrain = Terrain(shape, size, rows * cols, reach, lines, signed=True)
    return inhabit(terrain, names, **more)

"""A Klein bottle: left and right are glued upside down, top and bottom as they are."""

from __future__ import annotations

import numpy as np

from boardsat.generators.boards import Board
from boardsat.generators.boards._sheets import OPTIONS, sheet
from boardsat.generators.clauses.arrays import Ints

__all__ = ["OPTIONS", "build"]


def build(rows: int, cols: int, **more: str) -> Board:
    return sheet("klein", _fold, rows, cols, **more)


def _fold(row: Ints, column: Ints, rows: int, cols: int) -> tuple[Ints, Ints]:
    around, column = np.divmod(column, cols)
    return np.where(around % 2, rows - 1 - row, row) % rows, column

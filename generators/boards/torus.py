"""A rectangle whose left and right sides are glued, and top and bottom too."""

from __future__ import annotations

from boardsat.generators.boards import Board
from boardsat.generators.boards._sheets import OPTIONS, sheet
from boardsat.generators.clauses.arrays import Ints

__all__ = ["OPTIONS", "build"]


def build(rows: int, cols: int, **more: str) -> Board:
    return sheet("torus", _fold, rows, cols, **more)


def _fold(row: Ints, column: Ints, rows: int, cols: int) -> tuple[Ints, Ints]:
    return row % rows, column % cols

"""A rectangle whose left and right sides are glued, and top and bottom too."""

from __future__ import annotations

from boardsat.generators.boards import Board, Turn
from boardsat.generators.boards._sheets import OPTIONS, Gluing, sheet, sheet_turns

__all__ = ["OPTIONS", "build", "turns"]

GLUING = Gluing(left_and_right=True, top_and_bottom=True)


def build(rows: int, cols: int, **more: str) -> Board:
    return sheet("torus", GLUING, rows, cols, **more)


def turns(rows: int, cols: int) -> list[Turn]:
    return sheet_turns(GLUING, rows, cols)

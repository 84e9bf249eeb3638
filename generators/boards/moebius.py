"""A Moebius strip: the right side is glued to the left one upside down."""

from __future__ import annotations

from boardsat.generators.boards import Board, Turn
from boardsat.generators.boards._sheets import OPTIONS, Gluing, sheet, sheet_turns

__all__ = ["OPTIONS", "build", "turns"]

GLUING = Gluing(left_and_right=True, upside_down=True)


def build(rows: int, cols: int, **more: str) -> Board:
    return sheet("moebius", GLUING, rows, cols, **more)


def turns(rows: int, cols: int) -> list[Turn]:
    return sheet_turns(GLUING, rows, cols)

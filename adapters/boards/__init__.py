"""Boards as headers describe them: one file a shape, named like it, whose `read` makes one."""

from __future__ import annotations

import importlib
import pkgutil

from adapters.board import Board
from adapters.boards.graph import Graph
from adapters.boards.grid import Grid
from adapters.header import Header

__all__ = ["Board", "Graph", "Grid", "board_of", "shapes"]


def shapes() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def board_of(header: Header) -> Board | None:
    """The board, or None for a file without one, or with one that is not known here."""
    shape = header.board.get("shape")
    if shape not in shapes():
        return None
    board: Board = importlib.import_module(f"{__name__}.{shape}").read(header)
    return board

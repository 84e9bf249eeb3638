"""Boards as headers describe them: one file a shape, named like it, whose `read` makes one."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from adapters import values
from adapters.board import Board
from adapters.boards.graph import Graph
from adapters.boards.grid import Grid
from adapters.header import Header, refusing
from adapters.values import LARGEST, MalformedError

__all__ = ["Board", "Graph", "Grid", "board_of", "shapes", "start_of"]


@cache
def shapes() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def board_of(header: Header, place: str = "") -> Board | None:
    """The board, or None for a file without one, or with one that is not known here."""
    shape = header.board.get("shape")
    if shape not in shapes():
        return None
    with refusing("board", place):
        board: Board = importlib.import_module(f"{__name__}.{shape}").read(header)
    return board


def start_of(header: Header, board: Board) -> int:
    """The cell where a tour begins: the first, where the file does not say."""
    with refusing("parameters", ""):
        try:
            cell = board.cell_at(values.whole(header.parameters.get("start", 0), 0, LARGEST))
        except KeyError:
            cell = board.cells
        if cell >= board.cells:
            raise MalformedError("`start` is no cell of the board")
    return cell

"""Boards rebuilt from headers: one file a shape, named like it, with a function `read`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boardsat.adapters.boards._board import Board, shortest_cycle
from boardsat.adapters.boards.graph import GraphBoard
from boardsat.adapters.boards.grid import Grid
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header, malformed_line, read_header
from boardsat.adapters.dimacs.header_values import LARGEST
from boardsat.base.json_data import MalformedError
from boardsat.base.registry import Registry

__all__ = [
    "Board",
    "GraphBoard",
    "Grid",
    "begins_anywhere",
    "board_of",
    "names",
    "read_board",
    "shortest_cycle",
    "start_of",
]

ANY = "any"
"""The start of a tour that may begin on every cell."""

_registry = Registry(__name__, "board shape")
names = _registry.names


def begins_anywhere(parameters: Mapping[str, Any]) -> bool:
    """Whether it is an open tour from any cell."""
    return parameters.get("start") == ANY and not parameters.get("closed", True)


def board_of(header: Header, place: str = "") -> Board | None:
    """The board, or None for a file without one, or with one that is not known here."""
    shape = header.board.options.get("shape")
    if shape not in names():
        return None
    with malformed_line("board", place):
        board: Board = _registry.load(shape).read(header)
    return board


def read_board(path: str) -> tuple[Header, Board]:
    """Return the header and the board of a file in which every line is a comment."""
    lines = Path(path).read_text("ascii").splitlines()
    header = read_header(line.removeprefix("c ") for line in lines)
    board = board_of(header)
    assert board is not None
    return header, board


def start_of(header: Header, board: Board) -> int:
    """The cell where a tour begins: the first, where the file does not say.

    An open tour that may begin anywhere comes from a cell outside the board, after its last one.
    """
    if begins_anywhere(header.parameters):
        return board.cells
    with malformed_line("parameters", ""):
        try:
            cell = board.cell_at(header_values.whole(header.parameters.get("start", 0), 0, LARGEST))
        except KeyError:
            cell = board.cells
        if cell >= board.cells:
            raise MalformedError("`start` is not a cell of the board")
    return cell

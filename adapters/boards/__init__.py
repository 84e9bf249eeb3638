"""Boards, constructed from headers of formula files: one module for each shape, named after it.

Each module defines `read(header)`, which returns a `Board`: a subclass of `Tiles` (`_board.py`) for
all shapes except graphs. It raises `MalformedError` if the header does not describe such a board.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boardsat.adapters.boards._board import Board, shortest_cycle
from boardsat.adapters.boards.graph import GraphBoard
from boardsat.adapters.boards.grid import Grid
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header, malformed_line, read_header
from boardsat.adapters.dimacs.header_values import MAX_NUMBER
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

ANY_START = "any"
"""Value of the parameter `start` for tours that may begin on any cell."""

_registry = Registry(__name__, "board shape")
names = _registry.names


def begins_anywhere(parameters: Mapping[str, Any]) -> bool:
    """Return True if the parameters of an instance ask for an open tour from any cell."""
    return parameters.get("start") == ANY_START and not parameters.get("closed", True)


def board_of(header: Header, path: str = "") -> Board | None:
    """Return the board that a header describes.

    Parameters
    ----------
    header : Header
        Header of a formula file.
    path : str
        Path of the file, for errors.

    Returns
    -------
    Board or None
        None if the header has no board, or one of an unknown shape.

    Raises
    ------
    InputError
        The header's `board` line is malformed.
    """
    shape = header.board.options.get("shape")
    if shape not in names():
        return None
    with malformed_line("board", path):
        board: Board = _registry.load(shape).read(header)
    return board


def read_board(path: str) -> tuple[Header, Board]:
    """Return the header and the board of a text file that has comment lines only."""
    lines = Path(path).read_text("ascii").splitlines()
    header = read_header(line.removeprefix("c ") for line in lines)
    board = board_of(header)
    assert board is not None
    return header, board


def start_of(header: Header, board: Board) -> int:
    """Return the cell that a tour begins on; the first cell if the header names none.

    Parameters
    ----------
    header : Header
        Header of a formula file.
    board : Board
        Board of the header.

    Returns
    -------
    int
        Cell. An open tour from any cell begins on a virtual cell, whose number follows the last.

    Raises
    ------
    InputError
        The parameter `start` is not a cell of the board.
    """
    if begins_anywhere(header.parameters):
        return board.cells
    with malformed_line("parameters", ""):
        try:
            tile = header_values.check_integer(
                header.parameters.get("start", 0), 0, MAX_NUMBER, "start"
            )
            cell = board.cell_at(tile)
        except KeyError:
            cell = board.cells
        if cell >= board.cells:
            raise header_values.malformed("`start`", "be a cell of the board", tile)
    return cell

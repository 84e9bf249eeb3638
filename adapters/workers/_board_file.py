"""Reader of the file of a board solver: the header of a formula, without clauses."""

from __future__ import annotations

from pathlib import Path

from boardsat.adapters.boards import Board, board_of
from boardsat.adapters.dimacs.header import Header, read_header


def read_board(path: str) -> tuple[Header, Board]:
    """Return the header and the board of a file in which every line is a comment."""
    lines = Path(path).read_text("ascii").splitlines()
    header = read_header(line.removeprefix("c ") for line in lines)
    board = board_of(header)
    assert board is not None
    return header, board

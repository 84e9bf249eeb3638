"""At most so many queens, and every square is occupied or attacked by one of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.views.solution import Marks, Solution
from boardsat.base.text import pluralize

_RAYS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, marks = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(marks, Marks)
    if len(marks.cells) > parameters["queens"]:
        yield f"there are {pluralize(len(marks.cells), 'queen')}"
    yield from undominated(marks, board)


def undominated(marks: Marks, board: Grid) -> Iterator[str]:
    """Squares that no queen attacks or occupies."""
    dominated = {square for cell in marks.cells for square in _reached(cell, board)}
    for cell in range(board.cells):
        if cell not in dominated and cell not in marks.cells:
            yield f"no queen attacks {board.name(cell)}"


def _reached(cell: int, board: Grid) -> Iterator[int]:
    """The squares on the way of a queen, to the edges of the board."""
    for down, across in _RAYS:
        row, column = cell // board.cols + down, cell % board.cols + across
        while 0 <= row < board.rows and 0 <= column < board.cols:
            yield row * board.cols + column
            row, column = row + down, column + across

"""Queen domination: a limited number of queens occupy or attack every square."""

from __future__ import annotations

from collections.abc import Iterator

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Marks, Solution
from boardsat.base.text import pluralize

_RAYS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, marks = board_and_view(solution, Grid, Marks)
    if len(marks.cells) > parameters["queens"]:
        queens = pluralize(len(marks.cells), "queen")
        yield f"the board has {queens}, more than {parameters['queens']}"
    yield from undominated(marks, board)


def undominated(marks: Marks, board: Grid) -> Iterator[str]:
    """Yield a message for each square that no queen attacks or occupies."""
    dominated = {target for cell in marks.cells for target in _attacked(cell, board)}
    for cell in range(board.cells):
        if cell not in dominated and cell not in marks.cells:
            yield f"no queen attacks {board.name(cell)}"


def _attacked(cell: int, board: Grid) -> Iterator[int]:
    """Yield the squares that a queen attacks, also behind other queens."""
    for down, across in _RAYS:
        row, column = cell // board.cols + down, cell % board.cols + across
        while 0 <= row < board.rows and 0 <= column < board.cols:
            yield row * board.cols + column
            row, column = row + down, column + across

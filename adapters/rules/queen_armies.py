"""Two armies with so many queens each, and no queen attacks one of the other army."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.views.solution import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board = solution.board
    white, black = (marks.cells for marks in solution.marks)
    assert isinstance(board, Grid) and isinstance(solution.view, Marks)
    for name, army in (("white", white), ("black", black)):
        if len(army) < parameters["queens"]:
            yield f"the {name} army has {pluralize(len(army), 'queen')}"
    for cell in sorted(white & black):
        yield f"two queens stand on {board.name(cell)}"
    for one in sorted(white):
        for other in sorted(black):
            down = abs(one // board.cols - other // board.cols)
            across = abs(one % board.cols - other % board.cols)
            if one != other and (not down or not across or down == across):
                yield f"the queens on {board.name(one)} and {board.name(other)} attack each other"

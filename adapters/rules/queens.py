"""Queens problem: as many queens as rows, and no two in a row, column or diagonal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.views.solution import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, marks = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(marks, Marks)
    queens = [divmod(cell, board.cols) for cell in sorted(marks.cells)]
    if len(queens) != board.rows:
        yield f"the board has {pluralize(len(queens), 'queen')} on {pluralize(board.rows, 'row')}"
    for (a, b), (c, d) in combinations(queens, 2):
        if a == c or b == d or abs(a - c) == abs(b - d):
            yield f"the queens on ({a}, {b}) and ({c}, {d}) attack each other"

"""Queens problem: as many queens as rows, and no two in a row, column or diagonal."""

from __future__ import annotations

from itertools import combinations

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, marks = board_and_view(solution, Grid, Marks)
    queens = [divmod(cell, board.cols) for cell in sorted(marks.cells)]
    if len(queens) != board.rows:
        yield f"the board has {pluralize(len(queens), 'queen')} on {pluralize(board.rows, 'row')}"
    for (a, b), (c, d) in combinations(queens, 2):
        if a == c or b == d or abs(a - c) == abs(b - d):
            yield f"the queens on ({a}, {b}) and ({c}, {d}) attack each other"

"""Peaceable armies of queens: two armies of the same size; no queen attacks one of the other."""

from __future__ import annotations

from itertools import product

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations
from boardsat.adapters.views import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board = solution.board
    white, black = (marks.cells for marks in solution.of_kind(Marks))
    assert isinstance(board, Grid) and isinstance(solution.view, Marks)
    for name, army in (("white", white), ("black", black)):
        if len(army) < parameters["queens"]:
            queens = pluralize(len(army), "queen")
            yield f"the {name} army has {queens}, fewer than {parameters['queens']}"
    for cell in sorted(white & black):
        yield f"two queens stand on {board.name(cell)}"
    for a, b in product(sorted(white), sorted(black)):
        down = abs(a // board.cols - b // board.cols)
        across = abs(a % board.cols - b % board.cols)
        if a != b and (not down or not across or down == across):
            yield f"the queens on {board.name(a)} and {board.name(b)} attack each other"

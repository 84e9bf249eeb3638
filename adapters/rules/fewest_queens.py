"""Fewest queens: queens attack or occupy every square; whether fewer suffice is not checked."""

from __future__ import annotations

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.rules.queen_domination import undominated
from boardsat.adapters.views import Marks, Solution


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, marks = board_and_view(solution, Grid, Marks)
    yield from undominated(marks, board)

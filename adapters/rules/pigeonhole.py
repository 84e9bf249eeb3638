"""Pigeonhole principle: every pigeon has a hole, and no two share one; onto: no hole is empty."""

from __future__ import annotations

from collections import Counter

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, marks = board_and_view(solution, Grid, Marks)
    holes_of = Counter(cell // board.cols for cell in marks.cells)
    pigeons_in = Counter(cell % board.cols for cell in marks.cells)
    for pigeon in range(board.rows):
        holes = holes_of[pigeon]
        if holes == 0 or (holes > 1 and parameters.get("functional")):
            yield f"pigeon {pigeon} has {pluralize(holes, 'hole')}"
    for hole in range(board.cols):
        pigeons = pigeons_in[hole]
        if pigeons > 1 or (pigeons == 0 and parameters.get("onto")):
            yield f"hole {hole} has {pluralize(pigeons, 'pigeon')}"

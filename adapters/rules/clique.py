"""Clique: k vertices, any two of which are adjacent."""

from __future__ import annotations

from itertools import combinations

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, marks = board_and_view(solution, GraphBoard, Marks)
    if len(marks.cells) != parameters["k"]:
        vertices = pluralize(len(marks.cells), "vertex", "vertices")
        yield f"the clique has {vertices}, not {parameters['k']}"
    joined = {frozenset(edge) for edge in board.edges()}
    for u, v in combinations(sorted(marks.cells), 2):
        if {u, v} not in joined:
            yield f"vertices {board.name(u)} and {board.name(v)} are not adjacent"

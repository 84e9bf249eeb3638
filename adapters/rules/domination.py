"""Dominating set: at most k vertices, and every other vertex is adjacent to one of them."""

from __future__ import annotations

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, marks = board_and_view(solution, GraphBoard, Marks)
    if len(marks.cells) > parameters["k"]:
        vertices = pluralize(len(marks.cells), "vertex", "vertices")
        yield f"the set has {vertices}, more than {parameters['k']}"
    dominated = set(marks.cells)
    for u, v in board.edges():
        dominated |= {v} if u in marks.cells else set()
        dominated |= {u} if v in marks.cells else set()
    for cell in range(board.cells):
        if cell not in dominated:
            yield f"vertex {board.name(cell)} is not in the set, and has no neighbour in it"

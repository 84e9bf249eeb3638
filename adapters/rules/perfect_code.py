"""Perfect code: the closed neighbourhood of every vertex has exactly one vertex of the code."""

from __future__ import annotations

from collections import Counter

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, marks = board_and_view(solution, GraphBoard, Marks)
    covers = Counter(marks.cells)
    for u, v in board.edges():
        covers[u] += v in marks.cells
        covers[v] += u in marks.cells
    for cell in range(board.cells):
        if covers[cell] != 1:
            vertices = pluralize(covers[cell], "vertex", "vertices")
            yield f"vertex {board.name(cell)} is covered by {vertices} of the code"

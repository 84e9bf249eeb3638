"""Graph colouring: one of the colours for every vertex, different ones for adjacent vertices."""

from __future__ import annotations

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Labels, Solution


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, labels = board_and_view(solution, GraphBoard, Labels)
    for cell, values in enumerate(labels.values):
        if len(values) != 1 or not 1 <= values[0] <= parameters["colours"]:
            yield f"vertex {board.name(cell)} has the colours {list(values)}"
    for u, v in board.edges():
        if labels.values[u] == labels.values[v]:
            yield f"the neighbours {board.name(u)} and {board.name(v)} have the same colour"

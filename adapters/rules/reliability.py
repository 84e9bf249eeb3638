"""Network reliability: the working links are edges of the graph that connect all vertices."""

from __future__ import annotations

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rules import Parameters, Violations, adjacency_of, board_and_view
from boardsat.adapters.views import Solution, Strokes


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, lines = board_and_view(solution, GraphBoard, Strokes)
    edges = {frozenset(edge) for edge in board.edges()}
    for u, v in lines.pairs:
        if {u, v} not in edges:
            yield f"vertices {board.name(u)} and {board.name(v)} are not adjacent"
    adjacency = adjacency_of(lines.pairs)
    unreached = set(range(1, board.cells))
    queue = [0]
    for cell in queue:
        reached = unreached.intersection(adjacency.get(cell, ()))
        unreached -= reached
        queue += reached
    for cell in unreached:
        yield f"vertex {board.name(cell)} is not connected with vertex {board.name(0)}"

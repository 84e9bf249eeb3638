"""Perfect matching: a set of edges with exactly one at every vertex."""

from __future__ import annotations

from collections import Counter

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Solution, Strokes
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, lines = board_and_view(solution, GraphBoard, Strokes)
    edges = {frozenset(edge) for edge in board.edges()}
    for u, v in lines.pairs:
        if {u, v} not in edges:
            yield f"vertices {board.name(u)} and {board.name(v)} are not adjacent"
    at = Counter(end for pair in lines.pairs for end in pair)
    for cell in range(board.cells):
        if at[cell] != 1:
            yield f"vertex {board.name(cell)} is on {pluralize(at[cell], 'edge')} of the matching"

"""Even colouring: half of the edges at every vertex are red."""

from __future__ import annotations

from collections import Counter

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Solution, Strokes
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, lines = board_and_view(solution, GraphBoard, Strokes)
    edges = {frozenset(edge) for edge in board.edges()}
    red = {frozenset(pair) for pair in lines.pairs}
    if not red <= edges or len(red) < len(lines.pairs):
        yield "the red lines are not a set of edges"
    degrees = Counter(end for edge in edges for end in edge)
    reds = Counter(end for edge in red for end in edge)
    for cell in range(board.cells):
        if 2 * reds[cell] != degrees[cell]:
            edges_at = pluralize(degrees[cell], "edge")
            yield f"vertex {board.name(cell)} has {edges_at}, of which {reds[cell]} are red"

"""Longest closed tour: a cycle of moves through distinct cells; its length is not checked."""

from __future__ import annotations

from boardsat.adapters.rules import Parameters, Violations, adjacency_of, cycle_length
from boardsat.adapters.views import Solution, Strokes
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, strokes = solution.board, solution.view
    assert isinstance(strokes, Strokes)
    for a, b in strokes.pairs:
        if not board.is_move(a, b):
            yield f"there is no move from {board.name(a)} to {board.name(b)}"
    adjacency = adjacency_of(strokes.pairs)
    if not adjacency:
        yield "there is no tour"
        return
    for cell, neighbours in sorted(adjacency.items()):
        if len(set(neighbours)) != 2 or len(neighbours) != 2:
            yield f"{board.name(cell)} has {pluralize(len(neighbours), 'move')}, not 2"
            return
    if (length := cycle_length(adjacency)) != len(adjacency):
        cells = pluralize(len(adjacency), "cell")
        yield f"the tour from {board.name(min(adjacency))} visits {length} of {cells}"

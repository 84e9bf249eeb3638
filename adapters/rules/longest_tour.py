"""Longest closed tour: a cycle of moves through distinct cells; its length is not checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.views.solution import Solution, Strokes
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, strokes = solution.board, solution.view
    assert isinstance(strokes, Strokes)
    adjacency: dict[int, list[int]] = {}
    for a, b in strokes.pairs:
        if not board.is_move(a, b):
            yield f"there is no move from {board.name(a)} to {board.name(b)}"
        adjacency.setdefault(a, []).append(b)
        adjacency.setdefault(b, []).append(a)
    if not adjacency:
        yield "there is no tour"
        return
    for cell, neighbours in sorted(adjacency.items()):
        if len(set(neighbours)) != 2 or len(neighbours) != 2:
            yield f"{board.name(cell)} has {pluralize(len(neighbours), 'move')}, not 2"
            return
    start = min(adjacency)
    previous, cell, length = start, adjacency[start][0], 1
    while cell != start:
        previous, cell = cell, next(c for c in adjacency[cell] if c != previous)
        length += 1
    if length != len(adjacency):
        cells = pluralize(len(adjacency), "cell")
        yield f"the tour from {board.name(start)} visits {length} of {cells}"

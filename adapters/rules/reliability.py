"""The links of a network that work are edges of its graph, and connect all of its vertices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.views.solution import Solution, Strokes


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, lines = solution.board, solution.view
    assert isinstance(board, GraphBoard) and isinstance(lines, Strokes)
    edges = {frozenset(edge) for edge in board.edges()}
    beside: dict[int, list[int]] = {cell: [] for cell in range(board.cells)}
    for u, v in lines.pairs:
        if {u, v} not in edges:
            yield f"vertices {board.name(u)} and {board.name(v)} are not adjacent"
        beside[u].append(v)
        beside[v].append(u)
    waiting = [*beside][:1]
    reached = {*waiting}
    while waiting:
        new = [cell for cell in beside[waiting.pop()] if cell not in reached]
        reached.update(new)
        waiting += new
    for cell in beside.keys() - reached:
        yield f"vertex {board.name(cell)} is not connected with vertex {board.name(0)}"

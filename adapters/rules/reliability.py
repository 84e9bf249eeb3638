"""Network reliability: the working links are edges of the graph that connect all vertices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.views.solution import Solution, Strokes


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, lines = solution.board, solution.view
    assert isinstance(board, GraphBoard) and isinstance(lines, Strokes)
    edges = {frozenset(edge) for edge in board.edges()}
    adjacency: dict[int, list[int]] = {cell: [] for cell in range(board.cells)}
    for u, v in lines.pairs:
        if {u, v} not in edges:
            yield f"vertices {board.name(u)} and {board.name(v)} are not adjacent"
        adjacency[u].append(v)
        adjacency[v].append(u)
    stack = [*adjacency][:1]
    reached = {*stack}
    while stack:
        new = [cell for cell in adjacency[stack.pop()] if cell not in reached]
        reached.update(new)
        stack += new
    for cell in adjacency.keys() - reached:
        yield f"vertex {board.name(cell)} is not connected with vertex {board.name(0)}"

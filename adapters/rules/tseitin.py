"""The number of edges that are chosen at a vertex has the parity of its charge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.counts import counted
from boardsat.adapters.pictures import Solution, Strokes


def faults(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, lines = solution.board, solution.picture
    assert isinstance(board, GraphBoard) and isinstance(lines, Strokes)
    edges = {frozenset(edge) for edge in board.edges()}
    chosen = {frozenset(pair) for pair in lines.pairs}
    if not chosen <= edges or len(chosen) < len(lines.pairs):
        yield "what is chosen is not a set of edges"
    at = Counter(end for edge in chosen for end in edge)
    odd = {"zero": range(0), "first": range(1), "one": range(board.cells)}[parameters["charge"]]
    for cell in range(board.cells):
        if at[cell] % 2 != (cell in odd):
            told = "odd" if cell in odd else "even"
            edges_at = counted(at[cell], "edge")
            yield f"vertex {board.name(cell)} has {edges_at}, and its charge is {told}"

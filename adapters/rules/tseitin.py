"""The number of edges that are chosen at a vertex has the parity of its charge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.views.solution import Labels, Solution, Strokes
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, lines = solution.board, solution.view
    assert isinstance(board, GraphBoard) and isinstance(lines, Strokes)
    edges = {frozenset(edge) for edge in board.edges()}
    chosen = {frozenset(pair) for pair in lines.pairs}
    if not chosen <= edges or len(chosen) < len(lines.pairs):
        yield "what is chosen is not a set of edges"
    at = Counter(end for edge in chosen for end in edge)
    odd = _odd(solution, parameters["charge"])
    # Of random charges only their sum is told.
    if parameters["charge"] in ("odd", "even") and len(odd) % 2 != (parameters["charge"] == "odd"):
        yield f"{len(odd)} charges are odd"
    for cell in range(board.cells):
        if at[cell] % 2 != (cell in odd):
            told = "odd" if cell in odd else "even"
            edges_at = pluralize(at[cell], "edge")
            yield f"vertex {board.name(cell)} has {edges_at}, and its charge is {told}"


def _odd(solution: Solution, charge: str) -> set[int]:
    """The vertices with an odd charge: as the parameter says, and where it leaves it to chance, as
    the question does."""
    fixed = {"zero": 0, "first": 1, "one": solution.board.cells}
    if charge in fixed:
        return set(range(fixed[charge]))
    (charges,) = (each for each in solution.static_views if isinstance(each, Labels))
    return {cell for cell, values in enumerate(charges.values) if values == (1,)}

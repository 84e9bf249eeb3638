"""Tseitin formula: the number of chosen edges at every vertex has the parity of its charge."""

from __future__ import annotations

from collections import Counter

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Labels, Solution, Strokes
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, lines = board_and_view(solution, GraphBoard, Strokes)
    edges = {frozenset(edge) for edge in board.edges()}
    chosen = {frozenset(pair) for pair in lines.pairs}
    if not chosen <= edges or len(chosen) < len(lines.pairs):
        yield "the chosen lines are not a set of edges"
    degrees = Counter(end for edge in chosen for end in edge)
    odd = _odd_vertices(solution, parameters["charge"])
    # For random charges, the parameter determines the parity of their sum.
    if parameters["charge"] in ("odd", "even") and len(odd) % 2 != (parameters["charge"] == "odd"):
        yield f"{len(odd)} charges are odd"
    for cell in range(board.cells):
        if degrees[cell] % 2 != (cell in odd):
            parity = "odd" if cell in odd else "even"
            chosen_edges = pluralize(degrees[cell], "chosen edge")
            yield f"vertex {board.name(cell)} has {chosen_edges}, and its charge is {parity}"


def _odd_vertices(solution: Solution, charge: str) -> set[int]:
    """Return the vertices with an odd charge, from the parameter or, if random, a static view."""
    fixed = {"zero": 0, "first": 1, "one": solution.board.cells}
    if charge in fixed:
        return set(range(fixed[charge]))
    (charges,) = (view for view in solution.static_views if isinstance(view, Labels))
    return {cell for cell, values in enumerate(charges.values) if values == (1,)}

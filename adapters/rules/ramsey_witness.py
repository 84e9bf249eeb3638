"""Ramsey witness: a clique of k vertices or an independent set of s vertices."""

from __future__ import annotations

from itertools import combinations

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, marks = board_and_view(solution, GraphBoard, Marks)
    joined = {frozenset(edge) for edge in board.edges()}
    size, pairs = len(marks.cells), [*combinations(marks.cells, 2)]
    adjacent = sum({u, v} in joined for u, v in pairs)
    is_clique = size == parameters["k"] and adjacent == len(pairs)
    is_independent = size == parameters["s"] and adjacent == 0
    if not is_clique and not is_independent:
        vertices = pluralize(size, "vertex", "vertices")
        edges = pluralize(adjacent, "edge")
        yield f"{vertices} with {edges} are neither the clique nor the independent set"

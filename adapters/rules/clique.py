"""Clique: k vertices, any two of which are adjacent."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.views.solution import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, marks = solution.board, solution.view
    assert isinstance(board, GraphBoard) and isinstance(marks, Marks)
    if len(marks.cells) != parameters["k"]:
        vertices = pluralize(len(marks.cells), "vertex", "vertices")
        yield f"the clique has {vertices}, not {parameters['k']}"
    joined = {frozenset(edge) for edge in board.edges()}
    for u, v in combinations(sorted(marks.cells), 2):
        if {u, v} not in joined:
            yield f"vertices {board.name(u)} and {board.name(v)} are not adjacent"

"""Dominating set: at most k vertices, and every other vertex is adjacent to one of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.views.solution import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, marks = solution.board, solution.view
    assert isinstance(board, GraphBoard) and isinstance(marks, Marks)
    if len(marks.cells) > parameters["k"]:
        vertices = pluralize(len(marks.cells), "vertex", "vertices")
        yield f"the set has {vertices}, more than {parameters['k']}"
    dominated = set(marks.cells)
    for u, v in board.edges():
        dominated |= {v} if u in marks.cells else set()
        dominated |= {u} if v in marks.cells else set()
    for cell in range(board.cells):
        if cell not in dominated:
            yield f"vertex {board.name(cell)} is not in the set, and has no neighbour in it"

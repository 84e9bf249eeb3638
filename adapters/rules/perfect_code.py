"""Perfect code: the closed neighbourhood of every vertex has exactly one vertex of the code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.views.solution import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, marks = solution.board, solution.view
    assert isinstance(board, GraphBoard) and isinstance(marks, Marks)
    covers = Counter(marks.cells)
    for u, v in board.edges():
        covers[u] += v in marks.cells
        covers[v] += u in marks.cells
    for cell in range(board.cells):
        if covers[cell] != 1:
            vertices = pluralize(covers[cell], "vertex", "vertices")
            yield f"vertex {board.name(cell)} is covered by {vertices} of the code"

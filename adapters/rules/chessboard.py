"""Dominoes cover a board of squares, but for its first and its last one, without overlap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.views.solution import Fills, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, fills = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(fills, Fills)
    removed = {0, board.cells - 1}
    squares = defaultdict(list)
    for cell, dominoes in enumerate(fills.values):
        if len(dominoes) != (cell not in removed):
            yield f"square {board.name(cell)} has {pluralize(len(dominoes), 'domino', 'dominoes')}"
        for domino in dominoes:
            squares[domino].append(divmod(cell, board.cols))
    for covered in squares.values():
        rows, columns = zip(*covered, strict=True)
        if len(covered) != 2 or abs(rows[0] - rows[1]) + abs(columns[0] - columns[1]) != 1:
            yield f"a domino does not lie on two neighbours: {', '.join(map(str, covered))}"

"""Mutilated chessboard: dominoes cover all squares but the first and the last, without overlap."""

from __future__ import annotations

from collections import defaultdict

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Fills, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, fills = board_and_view(solution, Grid, Fills)
    removed = {0, board.cells - 1}
    covered = defaultdict(list)
    for cell, dominoes in enumerate(fills.values):
        if len(dominoes) != (cell not in removed):
            yield f"square {board.name(cell)} has {pluralize(len(dominoes), 'domino', 'dominoes')}"
        for domino in dominoes:
            covered[domino].append(divmod(cell, board.cols))
    for squares in covered.values():
        rows, columns = zip(*squares, strict=True)
        if len(squares) != 2 or abs(rows[0] - rows[1]) + abs(columns[0] - columns[1]) != 1:
            yield f"a domino does not lie on two neighbours: {', '.join(map(str, squares))}"

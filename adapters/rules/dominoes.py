"""Domino tiling: every square is covered by one domino, which covers two adjacent squares."""

from __future__ import annotations

from collections import defaultdict

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Fills, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, fills = board_and_view(solution, Grid, Fills)
    covered: defaultdict[int, list[int]] = defaultdict(list)
    for cell, values in enumerate(fills.values):
        if len(values) != 1:
            yield f"{board.name(cell)} is under {pluralize(len(values), 'domino', 'dominoes')}"
        for value in values:
            covered[value].append(cell)
    for cells in covered.values():
        squares = [divmod(board.tile_of(cell), board.cols) for cell in cells]
        if len(squares) != 2 or sum(abs(a - b) for a, b in zip(*squares, strict=True)) != 1:
            yield f"a domino lies on {', '.join(map(board.name, cells))}"

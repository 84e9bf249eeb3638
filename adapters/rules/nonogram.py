"""Nonogram: the blocks of black squares in every row and column have the given lengths."""

from __future__ import annotations

from itertools import groupby

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Fills, Solution


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, fills = board_and_view(solution, Grid, Fills)
    rows, columns = board.rows_and_columns([bool(values) for values in fills.values])
    for name, lines, clues in (
        ("row", rows, parameters["across"]),
        ("column", columns, parameters["down"]),
    ):
        for number, (line, clue) in enumerate(zip(lines, clues, strict=True), 1):
            lengths = [len([*block]) for is_black, block in groupby(line) if is_black]
            if lengths != [length for length in clue if length]:
                yield f"the blocks of {name} {number} are {lengths}"

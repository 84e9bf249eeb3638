"""Nonogram: the blocks of black squares in every row and column have the given lengths."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.views.solution import Fills, Solution


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, fills = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(fills, Fills)
    black = [bool(values) for values in fills.values]
    rows = [black[r * board.cols : (r + 1) * board.cols] for r in range(board.rows)]
    columns = [black[c :: board.cols] for c in range(board.cols)]
    for name, lines, clues in (
        ("row", rows, parameters["across"]),
        ("column", columns, parameters["down"]),
    ):
        for number, (line, clue) in enumerate(zip(lines, clues, strict=True), 1):
            lengths = [len([*block]) for is_black, block in groupby(line) if is_black]
            if lengths != [length for length in clue if length]:
                yield f"the blocks of {name} {number} are {lengths}"

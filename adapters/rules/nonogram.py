"""The blocks of black squares in every row and column are as long as its numbers say, in order."""

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
    for name, lines, told in (
        ("row", rows, parameters["across"]),
        ("column", columns, parameters["down"]),
    ):
        for number, (line, lengths) in enumerate(zip(lines, told, strict=True), 1):
            found = [len([*block]) for is_black, block in groupby(line) if is_black]
            if found != [length for length in lengths if length]:
                yield f"the blocks of {name} {number} are {found}"

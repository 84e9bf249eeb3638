"""A hitori shows no number twice in a line, no black neighbours, and white squares in one part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.views.solution import Fills, Solution

Square = tuple[int, int]


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, fills = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(fills, Fills)
    numbers = parameters["numbers"]
    rows, cols = board.rows, board.cols
    if (rows, cols) != (len(numbers), len(numbers[0])):
        yield "the board is not that of its numbers"
        return
    black = {divmod(cell, cols) for cell, value in enumerate(fills.values) if value}
    white = {(r, c) for r in range(rows) for c in range(cols)} - black
    lines = [[(r, c) for c in range(cols)] for r in range(rows)]
    lines += [[(r, c) for r in range(rows)] for c in range(cols)]
    for line in lines:
        shown = [numbers[r][c] for r, c in line if (r, c) in white]
        for number in sorted({n for n in shown if shown.count(n) > 1}):
            yield f"{number} is white twice between {line[0]} and {line[-1]}"
    for r, c in sorted(black):
        for other in sorted({(r, c + 1), (r + 1, c)} & black):
            yield f"the black squares {(r, c)} and {other} share a side"
    if apart := _cut_off(white):
        yield f"the white square {min(apart)} is cut off"


def _cut_off(white: set[Square]) -> set[Square]:
    """White squares that are not reached from the first."""
    left = set(white)
    ahead = [min(left)] if left else []
    left.difference_update(ahead)
    for r, c in ahead:
        found = left & {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}
        left -= found
        ahead += found
    return left

"""Costas array: one dot in every row and column; all vectors between two dots are different."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Marks, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, marks = board_and_view(solution, Grid, Marks)
    dots = sorted(divmod(cell, board.cols) for cell in marks.cells)
    for name, lines in (("row", [r for r, _ in dots]), ("column", [c for _, c in dots])):
        for line in range(board.rows):
            if (num_dots := lines.count(line)) != 1:
                yield f"{name} {line + 1} has {pluralize(num_dots, 'dot')}"
    vectors = Counter((c - a, d - b) for (a, b), (c, d) in combinations(dots, 2))
    for (down, across), times in vectors.items():
        if times > 1:
            yield f"the vector {down} down and {across} across occurs {times} times"

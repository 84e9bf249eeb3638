"""Non-attacking rooks: no two marked squares are in one row or one column.

Template of docs/adding-a-rule.md: copy it to adapters/rules/PROBLEM.py.
"""

from __future__ import annotations

from collections import Counter

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Marks, Solution


def violations(solution: Solution, parameters: Parameters) -> Violations:
    """Yield a message for every row and column with more than one mark."""
    _, marks = board_and_view(solution, Grid, Marks)
    squares = [divmod(cell, parameters["n"]) for cell in marks.cells]
    for line, index in (("row", 0), ("column", 1)):
        for number, count in Counter(square[index] for square in squares).items():
            if count > 1:
                yield f"{line} {number} has {count} marks"

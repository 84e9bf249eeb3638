"""Magic square: every number once, and equal sums of all rows, columns and both diagonals."""

from __future__ import annotations

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Labels, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, labels = board_and_view(solution, Grid, Labels)
    for cell, values in enumerate(labels.values):
        if len(values) != 1:
            yield f"square {board.name(cell)} has {pluralize(len(values), 'number')}"
            return
    n, flat = board.rows, [values[0] for values in labels.values]
    if sorted(flat) != list(range(1, n * n + 1)):
        yield f"the numbers are not those from 1 to {n * n}"
    rows, columns = board.rows_and_columns(flat)
    lines = {
        **{f"row {number}": row for number, row in enumerate(rows)},
        **{f"column {number}": column for number, column in enumerate(columns)},
        "the diagonal": [rows[k][k] for k in range(n)],
        "the other diagonal": [rows[k][n - 1 - k] for k in range(n)],
    }
    # The sums of all rows add up to that of all numbers.
    magic_sum = sum(range(1, n * n + 1)) // n
    for name, line in lines.items():
        if sum(line) != magic_sum:
            yield f"{name} has the sum {sum(line)}, not {magic_sum}"
    for cell, number in enumerate(parameters.get("givens", [])):
        if number and flat[cell] != number:
            yield f"square {board.name(cell)} has {flat[cell]}, not the given {number}"

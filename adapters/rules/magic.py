"""A magic square has every number once, and one sum in every row, column and long diagonal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.views.solution import Labels, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, labels = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(labels, Labels)
    for cell, values in enumerate(labels.values):
        if len(values) != 1:
            yield f"square {board.name(cell)} has {pluralize(len(values), 'number')}"
            return
    n, flat = board.rows, [values[0] for values in labels.values]
    if sorted(flat) != list(range(1, n * n + 1)):
        yield f"the numbers are not those from 1 to {n * n}"
    rows = [flat[r * n : (r + 1) * n] for r in range(n)]
    lines = {
        **{f"row {number}": row for number, row in enumerate(rows)},
        **{f"column {number}": list(line) for number, line in enumerate(zip(*rows, strict=True))},
        "the diagonal": [rows[k][k] for k in range(n)],
        "the other diagonal": [rows[k][n - 1 - k] for k in range(n)],
    }
    # All rows together have the sum of all numbers.
    wanted = sum(range(1, n * n + 1)) // n
    for name, line in lines.items():
        if sum(line) != wanted:
            yield f"{name} has the sum {sum(line)}, not {wanted}"
    for cell, given in enumerate(parameters.get("givens", [])):
        if given and flat[cell] != given:
            yield f"square {board.name(cell)} is not the {given} that was given"

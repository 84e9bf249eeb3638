"""Sudoku: a Latin square whose boxes have every digit once."""

from __future__ import annotations

from boardsat.adapters.rules import Parameters, Violations, latin
from boardsat.adapters.views import Solution

BASE = "latin"


def violations(solution: Solution, parameters: Parameters) -> Violations:
    (rows, _), n = latin.rows_and_columns_of(solution), int(parameters["n"])
    for top in range(0, n * n, n):
        for first_col in range(0, n * n, n):
            box = {digit for row in rows[top : top + n] for digit in row[first_col : first_col + n]}
            if len(box) != n * n:
                yield f"the box at ({top}, {first_col}) does not have every digit"

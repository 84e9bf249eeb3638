"""Sudoku: a Latin square whose boxes have every digit once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.rules import latin
from boardsat.adapters.views.solution import Solution


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    latin_violations = list(latin.violations(solution, parameters))
    yield from latin_violations
    if latin_violations:
        return
    rows, n = latin.square(solution), int(parameters["n"])
    for top in range(0, n * n, n):
        for first_col in range(0, n * n, n):
            box = {digit for row in rows[top : top + n] for digit in row[first_col : first_col + n]}
            if len(box) != n * n:
                yield f"the box at ({top}, {first_col}) does not have every digit"

"""A sudoku is a Latin square whose boxes have every digit once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.rules import latin
from boardsat.adapters.views.solution import Solution


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    found = list(latin.violations(solution, parameters))
    yield from found
    if found:
        return
    rows, n = latin.square(solution), int(parameters["n"])
    for top in range(0, n * n, n):
        for left in range(0, n * n, n):
            box = {value for row in rows[top : top + n] for value in row[left : left + n]}
            if len(box) != n * n:
                yield f"the box at ({top}, {left}) does not have every digit"

"""Latin square: every symbol once in each row and column; given symbols are preserved."""

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
            yield f"square {board.name(cell)} has {pluralize(len(values), 'symbol')}"
            return
    rows = square(solution)
    symbols = set(range(1, board.rows + 1))
    for number, row in enumerate(rows):
        if set(row) != symbols:
            yield f"row {number} does not have every symbol"
    for number, column in enumerate(zip(*rows, strict=True)):
        if set(column) != symbols:
            yield f"column {number} does not have every symbol"
    for cell, symbol in enumerate(parameters.get("givens", [])):
        if symbol and labels.values[cell] != (symbol,):
            yield f"square {board.name(cell)} has {labels.values[cell][0]}, not the given {symbol}"


def square(solution: Solution) -> list[list[int]]:
    """Return the symbols by rows, if every square has one."""
    board, labels = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(labels, Labels)
    flat = [values[0] for values in labels.values]
    return [flat[r * board.cols : (r + 1) * board.cols] for r in range(board.rows)]

"""Latin square: every symbol once in each row and column; given symbols are preserved."""

from __future__ import annotations

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Labels, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, labels = board_and_view(solution, Grid, Labels)
    for cell, values in enumerate(labels.values):
        if len(values) != 1:
            yield f"square {board.name(cell)} has {pluralize(len(values), 'symbol')}"
            return
    symbols = set(range(1, board.rows + 1))
    for name, lines in zip(("row", "column"), rows_and_columns_of(solution), strict=True):
        for number, line in enumerate(lines):
            if set(line) != symbols:
                yield f"{name} {number} does not have every symbol"
    for cell, symbol in enumerate(parameters.get("givens", [])):
        if symbol and labels.values[cell] != (symbol,):
            yield f"square {board.name(cell)} has {labels.values[cell][0]}, not the given {symbol}"


def rows_and_columns_of(solution: Solution) -> tuple[list[list[int]], list[list[int]]]:
    """Return the symbols by rows and by columns; every square has one symbol."""
    board, labels = board_and_view(solution, Grid, Labels)
    return board.rows_and_columns([values[0] for values in labels.values])

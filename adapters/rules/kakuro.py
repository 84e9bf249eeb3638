"""Kakuro: the digits after a black square are different, and their sum is the square's clue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boardsat.adapters.boards import Grid
from boardsat.adapters.rules import Parameters, Violations, board_and_view
from boardsat.adapters.views import Labels, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    board, labels = board_and_view(solution, Grid, Labels)
    clues = [clue for row in parameters["clues"] for clue in row]
    for cell, (clue, digits) in enumerate(zip(clues, labels.values, strict=True)):
        if clue[0] < 0 and (len(digits) != 1 or not 1 <= digits[0] <= 9):
            yield f"square {board.name(cell)} has {pluralize(len(digits), 'digit')}"
        elif clue[0] >= 0 and digits:
            yield f"the black square {board.name(cell)} has a digit"
    rows, columns = board.rows_and_columns(range(board.cells))
    for name, direction, lines in (("row", 1, rows), ("column", 0, columns)):
        for number, line in enumerate(lines, 1):
            for clue_sum, entry in _entries(line, direction, clues, labels):
                if len(set(entry)) != len(entry):
                    yield f"{name} {number} has a digit twice in {entry}"
                if clue_sum and sum(entry) != clue_sum:
                    yield f"the sum of {entry} in {name} {number} is {sum(entry)}, not {clue_sum}"


def _entries(
    line: Sequence[int], direction: int, clues: list[list[int]], labels: Labels
) -> Iterator[tuple[int, list[int]]]:
    """Yield the sum of every black square of a line, and the digits up to the next one.

    The sum is 0 if the square has no clue in this direction.
    """
    clue_sum: int | None = None
    digits: list[int] = []
    for cell in line:
        if clues[cell][0] < 0:
            digits += labels.values[cell]
            continue
        if clue_sum is not None:
            yield clue_sum, digits
        clue_sum, digits = clues[cell][direction], []
    if clue_sum is not None:
        yield clue_sum, digits

"""White squares have digits; those after a black one are different, and have the sum it tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from boardsat.adapters.boards import Grid
from boardsat.adapters.views.solution import Labels, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    board, labels = solution.board, solution.view
    assert isinstance(board, Grid) and isinstance(labels, Labels)
    clues = [clue for row in parameters["clues"] for clue in row]
    for cell, (clue, digits) in enumerate(zip(clues, labels.values, strict=True)):
        if clue[0] < 0 and (len(digits) != 1 or not 1 <= digits[0] <= 9):
            yield f"square {board.name(cell)} has {pluralize(len(digits), 'digit')}"
        elif clue[0] >= 0 and digits:
            yield f"the black square {board.name(cell)} has a digit"
    cells = range(board.cells)
    for name, part, lines in (
        ("row", 1, [cells[start : start + board.cols] for start in cells[:: board.cols]]),
        ("column", 0, [cells[start :: board.cols] for start in cells[: board.cols]]),
    ):
        for number, line in enumerate(lines, 1):
            for told, entry in _entries(line, part, clues, labels):
                if len(set(entry)) != len(entry):
                    yield f"{name} {number} has a digit twice in {entry}"
                if told and sum(entry) != told:
                    yield f"{name} {number} has {entry}, whose sum is not {told}"


def _entries(
    line: Sequence[int], part: int, clues: list[list[int]], labels: Labels
) -> Iterator[tuple[int, list[int]]]:
    """Every black square's sum along a line, and the digits from there to the next one."""
    told: int | None = None
    digits: list[int] = []
    for cell in line:
        if clues[cell][0] < 0:
            digits += labels.values[cell]
            continue
        if told is not None:
            yield told, digits
        told, digits = clues[cell][part], []
    if told is not None:
        yield told, digits

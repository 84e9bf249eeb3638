"""Skyscrapers: a Latin square of heights; a clue counts the buildings visible from its side."""

from __future__ import annotations

from itertools import accumulate

from boardsat.adapters.rules import Parameters, Violations, latin
from boardsat.adapters.views import Solution

BASE = "latin"


def violations(solution: Solution, parameters: Parameters) -> Violations:
    rows, columns = latin.rows_and_columns_of(solution)
    for side, lines in (
        ("top", columns),
        ("bottom", [column[::-1] for column in columns]),
        ("left", rows),
        ("right", [row[::-1] for row in rows]),
    ):
        for number, (line, clue) in enumerate(zip(lines, parameters[side], strict=True), 1):
            # A visible skyscraper is taller than all before it.
            visible = len(set(accumulate(line, max)))
            if clue and visible != clue:
                yield f"in line {number} from the {side} {visible} are visible, not {clue}"

"""Skyscrapers: a Latin square of heights; a clue counts the buildings visible from its side."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from boardsat.adapters.rules import latin
from boardsat.adapters.views.solution import Solution


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    latin_violations = list(latin.violations(solution, parameters))
    yield from latin_violations
    if latin_violations:
        return
    rows = latin.square(solution)
    columns = [list(column) for column in zip(*rows, strict=True)]
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

"""Skyscrapers are a Latin square of heights; from a side as many are seen as its number says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from boardsat.adapters.rules import latin
from boardsat.adapters.views.solution import Solution


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    found = list(latin.violations(solution, parameters))
    yield from found
    if found:
        return
    rows = latin.square(solution)
    columns = [list(column) for column in zip(*rows, strict=True)]
    for side, lines in (
        ("top", columns),
        ("bottom", [column[::-1] for column in columns]),
        ("left", rows),
        ("right", [row[::-1] for row in rows]),
    ):
        for number, (line, told) in enumerate(zip(lines, parameters[side], strict=True), 1):
            # Whoever is seen is the tallest so far.
            seen = len(set(accumulate(line, max)))
            if told and seen != told:
                yield f"in line {number} from the {side} {seen} are seen, not {told}"

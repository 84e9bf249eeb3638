"""A futoshiki is a Latin square whose neighbours are less or greater as the signs say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardsat.adapters.rules import latin
from boardsat.adapters.views.solution import Solution

_LESS, _GREATER = 1, 2
"""The sign of a pair, whose first number is above or to the left of the second."""


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    found = list(latin.violations(solution, parameters))
    yield from found
    if found:
        return
    rows = latin.square(solution)
    columns = [list(column) for column in zip(*rows, strict=True)]
    signs = [list(line) for line in zip(*parameters["down"], strict=True)]
    yield from _line_violations("row", rows, parameters["across"])
    yield from _line_violations("column", columns, signs or [[]] * len(columns))


def _line_violations(name: str, lines: list[list[int]], signs: list[list[int]]) -> Iterator[str]:
    for number, (line, told) in enumerate(zip(lines, signs, strict=True), 1):
        for place, sign in enumerate(told):
            first, second = line[place : place + 2]
            if (sign == _LESS and first >= second) or (sign == _GREATER and first <= second):
                less = "less" if sign == _LESS else "greater"
                yield f"{first} before {second} in {name} {number} is not {less}"

"""Futoshiki: a Latin square in which neighbours obey the signs less than and greater than."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from boardsat.adapters.rules import Parameters, Violations, latin
from boardsat.adapters.views import Solution

_LESS, _GREATER = 1, 2
"""Signs of a pair: its first number, above or on the left, is less or greater than the second."""

BASE = "latin"


def violations(solution: Solution, parameters: Parameters) -> Violations:
    rows, columns = latin.rows_and_columns_of(solution)
    signs = [list(line) for line in zip(*parameters["down"], strict=True)]
    yield from _line_violations("row", rows, parameters["across"])
    yield from _line_violations("column", columns, signs or [[]] * len(columns))


def _line_violations(name: str, lines: list[list[int]], signs: list[list[int]]) -> Iterator[str]:
    for number, (line, line_signs) in enumerate(zip(lines, signs, strict=True), 1):
        for (first, second), sign in zip(pairwise(line), line_signs, strict=False):
            if (sign == _LESS and first >= second) or (sign == _GREATER and first <= second):
                relation = "less" if sign == _LESS else "greater"
                yield f"{first} before {second} in {name} {number} is not {relation}"

"""A killer sudoku is a sudoku; the digits of a cage are different, and have the sum it tells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from string import ascii_letters
from typing import Any

from boardsat.adapters.rules import sudoku
from boardsat.adapters.views.solution import Labels, Solution


def violations(solution: Solution, parameters: dict[str, Any]) -> Iterator[str]:
    found = list(sudoku.violations(solution, parameters))
    yield from found
    labels = solution.view
    assert isinstance(labels, Labels)
    if found:
        return
    cages: defaultdict[int, list[int]] = defaultdict(list)
    for cage, values in zip(parameters["cages"], labels.values, strict=bool(parameters["cages"])):
        cages[cage] += values
    for number, letter in enumerate(ascii_letters):
        digits, told = cages[number], parameters["sums"][number]
        if len(set(digits)) != len(digits):
            yield f"cage {letter} has a digit twice in {digits}"
        if told and sum(digits) != told:
            yield f"cage {letter} has {digits}, whose sum is not {told}"

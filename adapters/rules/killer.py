"""Killer sudoku: a sudoku; the digits of a cage are different, and add up to the cage's sum."""

from __future__ import annotations

from collections import defaultdict
from string import ascii_letters

from boardsat.adapters.rules import Parameters, Violations
from boardsat.adapters.views import Labels, Solution

BASE = "sudoku"


def violations(solution: Solution, parameters: Parameters) -> Violations:
    labels = solution.view
    assert isinstance(labels, Labels)
    cages: defaultdict[int, list[int]] = defaultdict(list)
    for cage, values in zip(parameters["cages"], labels.values, strict=bool(parameters["cages"])):
        cages[cage] += values
    for number, letter in enumerate(ascii_letters):
        digits, cage_sum = cages[number], parameters["sums"][number]
        if len(set(digits)) != len(digits):
            yield f"cage {letter} has a digit twice in {digits}"
        if cage_sum and sum(digits) != cage_sum:
            yield f"the sum of {digits} in cage {letter} is {sum(digits)}, not {cage_sum}"

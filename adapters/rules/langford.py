"""Langford pairing: every number k from 1 to n occurs twice, with k other numbers between."""

from __future__ import annotations

from boardsat.adapters.rules import Parameters, Violations
from boardsat.adapters.views import Labels, Solution
from boardsat.base.text import pluralize


def violations(solution: Solution, parameters: Parameters) -> Violations:
    labels = solution.view
    assert isinstance(labels, Labels)
    for position, values in enumerate(labels.values, 1):
        if len(values) != 1:
            yield f"position {position} has {pluralize(len(values), 'number')}"
            return
    row = [values[0] for values in labels.values]
    for number in range(1, parameters["n"] + 1):
        if row.count(number) != 2:
            yield f"the number {number} occurs {pluralize(row.count(number), 'time')}, not twice"
            continue
        first = row.index(number)
        between = row.index(number, first + 1) - first - 1
        if between != number:
            yield f"{pluralize(between, 'number is', 'numbers are')} between the two {number}"

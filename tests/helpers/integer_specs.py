"""Specs of integers, and their models as values: found by a solver, read from the file alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
from pysat.solvers import Solver

from boardsat.adapters.dimacs.header import Header, read_header
from boardsat.generators import Formula, encodings
from helpers.formulas import clauses_of, make, text_of

ENCODINGS = encodings.names("int")
Values = tuple[int, ...]


def of_integers(
    constraints: list[dict[str, Any]], settings: dict[str, Any] | None = None, **sections: Any
) -> Formula:
    """Return three integers of different bounds and a variable, unless others are given."""
    variables = {"V": {"for": "i in range(3)", "values": "i - 1..3 - i // 2"}, "X": {}}
    sections = {"variables": variables, "count_preserving": True} | sections
    return make(settings, constraints=constraints, **sections)


ENDS = [(i - 1, 3 - i // 2) for i in range(3)]
"""Bounds of three integers."""


def assignments(ends: list[tuple[int, int]] = ENDS) -> Iterator[Values]:
    """All values of integers with such ends, and of a variable."""
    return product(*(range(low, high + 1) for low, high in ends), (0, 1))


def holding(condition: Callable[[Values, int], bool]) -> set[Values]:
    """Return the values of three integers and a variable that satisfy the condition."""
    return {assignment for assignment in assignments() if condition(assignment[:3], assignment[3])}


def header_of(formula: Formula) -> Header:
    """Return the header as a reader of the file alone sees it."""
    lines = text_of(formula).decode().splitlines()
    comments = [line.removeprefix("c ") for line in lines if line.startswith("c ")]
    return read_header(comments, formula.variables)


def models(formula: Formula, limit: int = 3000) -> list[Values]:
    """All models as the values of integers and variables, in the order of the header."""
    header = header_of(formula)
    solutions: list[Values] = []
    with Solver("cadical153", bootstrap_with=clauses_of(formula)) as solver:
        everything = range(1, formula.variables + 1)
        while solver.solve():
            true = np.zeros(formula.variables + 1, np.bool_)
            true[[x for x in solver.get_model() if 0 < x <= formula.variables]] = True
            values: list[int] = []
            for variable in header.variables.values():
                holds = true[variable.ids]
                decoded = holds if variable.integers is None else variable.integers.decode(holds)
                values += decoded.astype(int).tolist()
            solutions.append(tuple(values))
            assert len(solutions) <= limit
            if not formula.variables:
                break
            solver.add_clause([-v if true[v] else v for v in everything])
    return solutions


def check(formula: Formula, expected: set[Values]) -> None:
    """Check that the models are exactly the assignments that satisfy the condition."""
    solutions = models(formula)
    assert sorted(solutions) == sorted(expected)
    assert formula.header.count_preserving

"""Formulas of one cardinality constraint on one group of literals."""

from __future__ import annotations

from typing import Any

from boardsat.generators import Formula, encodings
from helpers.formulas import Clauses, clauses_of, extendable_assignments, make


def group_formula(n: int, family: str, bound: int | None = None, **options: Any) -> Formula:
    """Return the formula of one constraint on n variables."""
    literals = "X[i] for i in range(n)"
    constraint = {family: literals} if bound is None else {family: bound, "of": literals}
    return make(
        {"n": n, **options.pop("settings", {})},
        params={"n": "1"},
        count_preserving=True,
        variables={"X": {"for": "i in range(n)"}},
        constraints=[{"empty": "unsatisfiable", **constraint, **options}],
    )


def projected_models(formula: Formula) -> set[int]:
    """Return the assignments of the spec's variables that extend to a model, as rows."""
    return {
        row for row, _ in extendable_assignments(formula.num_spec_variables, clauses_of(formula))
    }


def assignments_between(n: int, low: int, high: int) -> set[int]:
    """Return the assignments with a number of true variables in this range, as rows."""
    return {row for row in range(2**n) if low <= row.bit_count() <= high}


def pattern_clauses(method: str, n: int, low: int, high: int) -> Clauses:
    """Return the clauses of an encoding over variables 1..n and its auxiliary variables."""
    tokens = encodings.pattern("card", method, n, low, high).tokens.tolist()
    clauses: Clauses = [[]]
    for token in tokens:
        if token:
            clauses[-1].append(token)
        else:
            clauses.append([])
    return clauses[:-1]


def proper_bounds(n: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(n + 1) for b in range(a, n + 1) if (a, b) != (0, n)]


def size_of(formula: Formula) -> tuple[int, int]:
    """Return the numbers of clauses and of auxiliary variables."""
    return formula.clauses, formula.variables - formula.num_spec_variables

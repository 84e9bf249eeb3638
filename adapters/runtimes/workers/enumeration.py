"""Models enumerated one by one: an exact count, if there are not too many."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING

from pysat.solvers import Solver

from boardsat.adapters.runtimes.workers.formula import opened_formula, print_count
from boardsat.adapters.solver_meter import run_measured

if TYPE_CHECKING:
    from fractions import Fraction


def main(library: str, path: str) -> int:
    with Solver(library) as solver, opened_formula(path) as formula:
        for clause in formula.clauses:
            solver.add_clause(clause)
        # It knows of the variables that clauses have; each other one is free.
        known = [variable for variable in formula.projection if variable <= solver.nof_vars()]
        others = [variable for variable in formula.projection if variable > solver.nof_vars()]
        if formula.weights is None:
            return print_count(sum(1 for _ in projected_models(solver, known)) << len(others))
        return _weigh(projected_models(solver, known), formula.weights, known, others)


def _weigh(
    models: Iterator[tuple[int, ...]],
    weights: dict[int, Fraction],
    known: Sequence[int],
    others: Sequence[int],
) -> int:
    from boardsat.adapters.counters.integer_weights import integer_weights_of, print_weighted

    each, factor = integer_weights_of(weights, [*known, *others])
    of = {sign * variable: pair[sign < 0] for variable, pair in each.items() for sign in (1, -1)}
    total = sum(prod(of.get(literal, 1) for literal in literals) for literals in models)
    free = prod(sum(each.get(variable, (1, 1))) for variable in others)
    return print_weighted(factor * total * free)


def projected_models(solver: Solver, projection: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The literals of these variables, in every way that a model has them."""
    while solver.solve():
        model = solver.get_model()
        found = tuple(model[variable - 1] for variable in projection)
        yield found
        solver.add_clause([-literal for literal in found])


if __name__ == "__main__":
    sys.exit(run_measured(main))

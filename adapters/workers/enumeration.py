"""Exact model count by enumeration with blocking clauses over the projection."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from boardsat.adapters.solver_meter import run_measured
from boardsat.adapters.workers._answer_output import print_count
from boardsat.adapters.workers._formula_file import open_projected_formula
from boardsat.adapters.workers.pysat import new_solver

if TYPE_CHECKING:
    from fractions import Fraction


def main(library: str, path: str) -> int:
    """Print the exact number, or the total weight, of the projected models of a CNF file."""
    solver = new_solver(library)
    with open_projected_formula(path) as formula:
        for clause in formula.clauses:
            solver.add_clause(clause)
        # The solver knows variables up to the largest one in a clause; the others are free.
        bound = [variable for variable in formula.projection if variable <= solver.nof_vars()]
        free = [variable for variable in formula.projection if variable > solver.nof_vars()]
        models = enumerate_models(solver, bound)
        if formula.weights is None:
            return print_count(sum(1 for _ in models) << len(free))
        return _print_weighted_count(models, formula.weights, bound, free)


def _print_weighted_count(
    models: Iterator[tuple[int, ...]],
    weights: dict[int, Fraction],
    bound: Sequence[int],
    free: Sequence[int],
) -> int:
    from boardsat.adapters.dimacs.literal_weights import integer_weights_of, print_weighted

    pairs, factor = integer_weights_of(weights, [*bound, *free])
    by_literal = {
        sign * variable: pair[sign < 0] for variable, pair in pairs.items() for sign in (1, -1)
    }
    total = sum(prod(by_literal.get(literal, 1) for literal in model) for model in models)
    free_factor = prod(sum(pairs.get(variable, (1, 1))) for variable in free)
    return print_weighted(factor * total * free_factor)


def enumerate_models(solver: Any, projection: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the literals of every projected model, and block each one by a clause."""
    while solver.solve():
        model = solver.get_model()
        projected = tuple(model[variable - 1] for variable in projection)
        yield projected
        solver.add_clause([-literal for literal in projected])


if __name__ == "__main__":
    sys.exit(run_measured(main))

"""Models enumerated one by one: an exact count, if there are not too many."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from pysat.solvers import Solver

from boardsat.adapters.runtimes.workers.formula import opened_formula, print_count


def main(library: str, path: str) -> int:
    with Solver(library) as solver, opened_formula(path) as (_, projection, clauses):
        for clause in clauses:
            solver.add_clause(clause)
        # It knows of the variables that clauses have; each other one doubles the count.
        known = [variable for variable in projection if variable <= solver.nof_vars()]
        count = sum(1 for _ in projected_models(solver, known))
        return print_count(count << (len(projection) - len(known)))


def projected_models(solver: Solver, projection: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The literals of these variables, in every way that a model has them."""
    while solver.solve():
        model = solver.get_model()
        found = tuple(model[variable - 1] for variable in projection)
        yield found
        solver.add_clause([-literal for literal in found])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

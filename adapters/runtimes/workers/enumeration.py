"""Models enumerated one by one: an exact count, if there are not too many."""

from __future__ import annotations

import sys

from pysat.solvers import Solver

from boardsat.adapters.runtimes.workers.formula import opened_formula, print_count


def main(library: str, path: str) -> int:
    count = 0
    with Solver(library) as solver, opened_formula(path) as (_, projection, clauses):
        for clause in clauses:
            solver.add_clause(clause)
        # It knows of the variables that clauses have; each other one doubles the count.
        known = [variable for variable in projection if variable <= solver.nof_vars()]
        while solver.solve():
            count += 1
            model = solver.get_model()
            solver.add_clause([-model[variable - 1] for variable in known])
        return print_count(count << (len(projection) - len(known)))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""ApproxMC as a library: an approximate model count of a file.

The library loses a factor of two for each variable that its preprocessing frees of all clauses: of
`x or y` and `not x or not y` it counts one model. So it is given clauses that keep all variables
bound: `a or x` for every literal x of one known model that is counted, and `a or b`. With a, and b
either way, these have every model twice; without a, the known one once.
"""

from __future__ import annotations

import sys

from pyapproxmc import Counter
from pysat.solvers import Solver

from boardsat.adapters.runtimes.workers.formula import opened_formula, print_count
from boardsat.adapters.solver_meter import run_measured


def main(path: str, epsilon: str, delta: str, seed: str) -> int:
    counter = Counter(seed=int(seed), epsilon=float(epsilon), delta=float(delta))
    used: set[int] = set()
    with opened_formula(path) as formula, Solver("cadical195") as solver:
        variables, projection = formula.variables, formula.projection
        for clause in formula.clauses:
            if not clause:
                return print_count(0)
            used.update(map(abs, clause))
            counter.add_clause(clause)
            solver.add_clause(clause)
        if not solver.solve():
            return print_count(0)
        model = solver.get_model()
    a, b = variables + 1, variables + 2
    # Of variables that no clause has the library does not know; each doubles the count.
    bound = [variable for variable in projection if variable in used]
    counter.add_clauses([[a, b], *([a, model[variable - 1]] for variable in bound)])
    cells, doublings = counter.count([*bound, a, b])
    return print_count((cells << doublings) // 2 << (len(projection) - len(bound)))


if __name__ == "__main__":
    sys.exit(run_measured(main))

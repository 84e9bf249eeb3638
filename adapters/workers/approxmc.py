"""ApproxMC as a library: approximate model count of a CNF file.

The library loses a factor of two for each variable that is in no clause after its preprocessing:
for `x or y` and `not x or not y` it counts one model. To keep all variables in clauses, it gets
clauses with two auxiliary variables a and b: `a or b`, and `a or x` for every projected literal x
of a known model m. If a is true, b is free, so every model counts twice. If a is false, b is true
and only m remains. So the result is twice the number of models, plus one.
"""

from __future__ import annotations

import sys

from pyapproxmc import Counter

from boardsat.adapters.solver_meter import run_measured
from boardsat.adapters.workers._answer_output import print_count
from boardsat.adapters.workers._formula_file import open_projected_formula
from boardsat.adapters.workers.pysat import ExtensionSolver


def main(path: str, epsilon: str, delta: str, seed: str) -> int:
    """Print the approximate number of projected models of a CNF file."""
    counter = Counter(seed=int(seed), epsilon=float(epsilon), delta=float(delta))
    solver, used = ExtensionSolver("cadical195"), set[int]()
    with open_projected_formula(path) as formula:
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
    # The library does not know variables without clauses; each of them doubles the count.
    bound = [variable for variable in projection if variable in used]
    counter.add_clauses([[a, b], *([a, model[variable - 1]] for variable in bound)])
    cells, doublings = counter.count([*bound, a, b])
    return print_count((cells << doublings) // 2 << (len(projection) - len(bound)))


if __name__ == "__main__":
    sys.exit(run_measured(main))

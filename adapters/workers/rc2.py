"""RC2 of python-sat, a core-guided MaxSAT solver: an optimal model of a WCNF file."""

from __future__ import annotations

import sys

from pysat.examples.rc2 import RC2, RC2Stratified
from pysat.formula import WCNF

from boardsat.adapters.solver_meter import run_measured
from boardsat.adapters.workers._answer_output import print_status, print_values


def main(library: str, path: str) -> int:
    """Print an optimal model of a WCNF file, and its cost."""
    formula = WCNF(from_file=path)
    # The authors use this configuration in MaxSAT evaluations: stratification if weights differ.
    algorithm = RC2 if len(set(formula.wght)) <= 1 else RC2Stratified
    with algorithm(formula, solver=library, adapt=True, exhaust=True, minz=True) as solver:
        model = solver.compute()
        if model is None:
            return print_status("UNSATISFIABLE")
        print(f"o {solver.cost}")
        code = print_status("OPTIMUM FOUND")
        print_values(model)
        return code


if __name__ == "__main__":
    sys.exit(run_measured(main))

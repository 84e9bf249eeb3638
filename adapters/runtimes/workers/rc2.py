"""RC2 of python-sat: the best model of a WCNF file, by its unsatisfiable cores."""

from __future__ import annotations

import sys

from pysat.examples.rc2 import RC2, RC2Stratified
from pysat.formula import WCNF

from boardsat.adapters.answer import Status
from boardsat.adapters.runtimes.workers.pysat import print_model
from boardsat.adapters.solver_meter import run_measured


def main(library: str, path: str) -> int:
    formula = WCNF(from_file=path)
    # As its authors run it in evaluations: weights that differ are treated from the largest down.
    kind = RC2 if len(set(formula.wght)) <= 1 else RC2Stratified
    with kind(formula, solver=library, adapt=True, exhaust=True, minz=True) as solver:
        model = solver.compute()
        return say(model, solver.cost)


def say(model: list[int] | None, cost: int) -> int:
    """Print the answer as evaluations want it; None for no model. The exit code."""
    if model is None:
        print(f"s {Status.UNSATISFIABLE.name}")
        return int(Status.UNSATISFIABLE.value)
    print(f"o {cost}\ns OPTIMUM FOUND")
    print_model(model)
    return int(Status.OPTIMUM.value)


if __name__ == "__main__":
    sys.exit(run_measured(main))

"""Exactly uniform sampling from a list of all models, if there are not too many."""

from __future__ import annotations

import sys
from itertools import islice

from pysat.solvers import Solver

from boardsat.adapters.samplers import extend_models, free_literals, numbers_below
from boardsat.adapters.solver_meter import run_measured
from boardsat.adapters.workers._answer_output import print_error, print_samples
from boardsat.adapters.workers._formula_file import open_projected_formula
from boardsat.adapters.workers.enumeration import enumerate_models

MAX_MODELS = 1_000_000
"""Maximum number of models; formulas with more are rejected."""


def main(library: str, path: str, samples: str, seed: str) -> int:
    """Print samples and the number of models; return the exit code."""
    with open_projected_formula(path) as formula:
        clauses = list(formula.clauses)
    with Solver(library, bootstrap_with=clauses) as solver:
        largest = solver.nof_vars()
        bound = [variable for variable in formula.projection if variable <= largest]
        models = list(islice(enumerate_models(solver, bound), MAX_MODELS + 1))
    if len(models) > MAX_MODELS:
        return print_error(f"the formula has more than {MAX_MODELS:,} models")
    # Samples must depend on the seed alone, not on the order in which the solver finds models.
    models.sort()
    free = [variable for variable in formula.projection if variable > largest]
    total = len(models) << len(free)
    numbers = numbers_below(total, int(samples), int(seed)) if total else []
    drawn = ((models[n >> len(free)], free_literals(free, n)) for n in numbers)
    return print_samples(total, extend_models(clauses, drawn))


if __name__ == "__main__":
    sys.exit(run_measured(main))

"""Models drawn from a list of all, if there are not too many: exactly uniform."""

from __future__ import annotations

import sys
from itertools import islice

from pysat.solvers import Solver

from boardsat.adapters.runtimes.workers.enumeration import projected_models
from boardsat.adapters.runtimes.workers.formula import opened_formula
from boardsat.adapters.samplers.model_extension import extend_models, free_literals
from boardsat.adapters.samplers.sample_output import print_fault, print_samples
from boardsat.adapters.samplers.splitmix64 import numbers_below
from boardsat.adapters.solver_meter import run_measured
from boardsat.base.errors import SolverError

MAX_MODELS = 1_000_000
"""Models of a list."""


def main(library: str, path: str, samples: str, seed: str) -> int:
    with opened_formula(path) as (_, projection, read, _):
        clauses = list(read)
    with Solver(library, bootstrap_with=clauses) as solver:
        largest = solver.nof_vars()
        known = [variable for variable in projection if variable <= largest]
        found = list(islice(projected_models(solver, known), MAX_MODELS + 1))
    if len(found) > MAX_MODELS:
        return print_fault(SolverError(f"more than {MAX_MODELS:,} models are too many to list"))
    # In their order, whatever the order in which a solver finds them.
    found.sort()
    free = [variable for variable in projection if variable > largest]
    total = len(found) << len(free)
    numbers = numbers_below(total, int(samples), int(seed)) if total else []
    drawn = ((found[n >> len(free)], free_literals(free, n)) for n in numbers)
    return print_samples(total, extend_models(clauses, drawn))


if __name__ == "__main__":
    sys.exit(run_measured(main))

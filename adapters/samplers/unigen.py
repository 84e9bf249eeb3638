"""UniGen as a library: almost uniform sampling of models."""

from __future__ import annotations

import sys

from pysat.solvers import Solver
from pyunigen import Sampler

from boardsat.adapters.samplers import LIBRARY, extend_models, free_literals, numbers_below
from boardsat.adapters.solver_meter import run_measured
from boardsat.adapters.workers._answer_output import print_samples
from boardsat.adapters.workers._formula_file import open_projected_formula


def main(path: str, samples: str, seed: str) -> int:
    """Print samples and the approximate number of models; return the exit code."""
    with open_projected_formula(path) as formula:
        clauses = list(formula.clauses)
    # The library ends the process if there is no model.
    with Solver(LIBRARY, bootstrap_with=clauses) as solver:
        if not solver.solve():
            return print_samples(0, [])
    used = {abs(literal) for clause in clauses for literal in clause}
    bound = [variable for variable in formula.projection if variable in used]
    free = [variable for variable in formula.projection if variable not in used]
    count, drawn = _draw(clauses, bound, int(samples), int(seed))
    # The library does not know variables without clauses.
    bits = numbers_below(1 << len(free), int(samples), int(seed))
    pairs = ((literals, free_literals(free, n)) for literals, n in zip(drawn, bits, strict=True))
    return print_samples(count << len(free), extend_models(clauses, pairs))


def _draw(
    clauses: list[list[int]], projection: list[int], samples: int, seed: int
) -> tuple[int, list[tuple[int, ...]]]:
    """Return the approximate number of models and the samples, literals of the projection."""
    if not projection:
        return 1, [()] * samples
    sampler = Sampler(seed=seed % 2**32)
    for clause in clauses:
        sampler.add_clause(clause)
    cells, doublings, drawn = sampler.sample(num=samples, sampling_set=projection)
    return cells << doublings, [tuple(literals) for literals in drawn[:samples]]


if __name__ == "__main__":
    sys.exit(run_measured(main))

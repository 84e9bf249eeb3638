"""Models drawn by UniGen as a library: almost uniform, however many there are."""

from __future__ import annotations

import sys

from pysat.solvers import Solver
from pyunigen import Sampler

from boardsat.adapters.runtimes.workers.formula import opened_formula
from boardsat.adapters.samplers.model_extension import LIBRARY, extend_models, free_literals
from boardsat.adapters.samplers.sample_output import print_samples
from boardsat.adapters.samplers.splitmix64 import numbers_below
from boardsat.adapters.solver_meter import run_measured


def main(path: str, samples: str, seed: str) -> int:
    with opened_formula(path) as (_, projection, read, _):
        clauses = list(read)
    # The library ends the process where there is no model.
    with Solver(LIBRARY, bootstrap_with=clauses) as solver:
        if not solver.solve():
            return print_samples(0, [])
    used = {abs(literal) for clause in clauses for literal in clause}
    bound = [variable for variable in projection if variable in used]
    free = [variable for variable in projection if variable not in used]
    count, drawn = _drawn(clauses, bound, int(samples), int(seed))
    # Of variables that no clause has, the library does not know.
    bits = numbers_below(1 << len(free), int(samples), int(seed))
    pairs = ((literals, free_literals(free, n)) for literals, n in zip(drawn, bits, strict=True))
    return print_samples(count << len(free), extend_models(clauses, pairs))


def _drawn(
    clauses: list[list[int]], bound: list[int], samples: int, seed: int
) -> tuple[int, list[tuple[int, ...]]]:
    """How many there are, about, and those that are drawn; each has hashes of its own."""
    if not bound:
        return 1, [()] * samples
    sampler = Sampler(seed=seed % 2**32)
    for clause in clauses:
        sampler.add_clause(clause)
    cells, doublings, found = sampler.sample(num=samples, sampling_set=bound)
    return cells << doublings, [tuple(literals) for literals in found[:samples]]


if __name__ == "__main__":
    sys.exit(run_measured(main))

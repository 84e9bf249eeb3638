"""Print samples, and extend sampled literals of the projection to models of the formula."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from boardsat.adapters.answer import Status
from boardsat.adapters.runtimes.workers.formula import print_count

LIBRARY = "cadical195"


def print_samples(total: int, samples: Iterable[Sequence[int]]) -> int:
    """Print the count and the samples (literals, or cells from 1); return the exit code."""
    code = print_count(total)
    if code == Status.SATISFIABLE.value:
        for sample in samples:
            print("v", *sample, 0)
    return code


def print_fault(error: Exception) -> int:
    print(error, file=sys.stderr)
    return 1


def free_literals(variables: Sequence[int], bits: int) -> list[int]:
    """Return literals of unconstrained variables, positive where their bit is 1."""
    return [v if bits >> place & 1 else -v for place, v in enumerate(variables)]


def extend_models(
    clauses: Iterable[Sequence[int]], samples: Iterable[tuple[tuple[int, ...], list[int]]]
) -> Iterator[list[int]]:
    """Extend each sample to a model of the clauses; literals of unconstrained variables stay."""
    # The sampler of boards needs no solver.
    from pysat.solvers import Solver

    with Solver(LIBRARY, bootstrap_with=clauses) as solver:
        models: dict[tuple[int, ...], list[int]] = {}
        for literals, free_part in samples:
            if literals not in models:
                if not solver.solve(assumptions=literals):
                    raise RuntimeError("what was drawn is no model")
                models[literals] = solver.get_model()
            free = {abs(literal) for literal in free_part}
            yield [*(x for x in models[literals] if abs(x) not in free), *free_part]

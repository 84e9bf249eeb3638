"""Print samples, and extend sampled literals of the projection to models of the formula."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from boardsat.adapters.answer import Status
from boardsat.adapters.runtimes.workers.formula import print_count

LIBRARY = "cadical195"


def print_samples(total: int, samples: Iterable[Sequence[int]]) -> int:
    """Numbers other than 0 each: literals, or cells from 1."""
    code = print_count(total)
    if code == Status.SATISFIABLE.value:
        for sample in samples:
            print("v", *sample, 0)
    return code


def print_fault(error: Exception) -> int:
    print(error, file=sys.stderr)
    return 1


def free_literals(variables: Sequence[int], bits: int) -> list[int]:
    """Variables that no clause has, true where their bit is 1."""
    return [v if bits >> place & 1 else -v for place, v in enumerate(variables)]


def completed(
    clauses: Iterable[Sequence[int]], drawn: Iterable[tuple[tuple[int, ...], list[int]]]
) -> Iterator[list[int]]:
    """For each, the literals of variables that clauses have, and those of others, which stay."""
    # The sampler of boards needs no solver.
    from pysat.solvers import Solver

    with Solver(LIBRARY, bootstrap_with=clauses) as solver:
        known: dict[tuple[int, ...], list[int]] = {}
        for literals, others in drawn:
            if literals not in known:
                if not solver.solve(assumptions=literals):
                    raise RuntimeError("what was drawn is no model")
                known[literals] = solver.get_model()
            own = {abs(literal) for literal in others}
            yield [*(x for x in known[literals] if abs(x) not in own), *others]

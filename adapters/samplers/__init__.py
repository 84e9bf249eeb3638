"""Samplers of the embedded runtime: worker processes that print random models or tours.

A sampler of models draws literals of the projection, which are extended to models here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

LIBRARY = "cadical195"


def free_literals(variables: Sequence[int], bits: int) -> list[int]:
    """Return literals of unconstrained variables, positive where their bit is 1."""
    return [v if bits >> index & 1 else -v for index, v in enumerate(variables)]


def extend_models(
    clauses: Iterable[Sequence[int]], samples: Iterable[tuple[tuple[int, ...], list[int]]]
) -> Iterator[list[int]]:
    """Yield an extension of each sample to a model of the clauses.

    A sample is a pair: literals of constrained variables, and literals of unconstrained ones, which
    replace those of the model.
    """
    from pysat.solvers import Solver

    with Solver(LIBRARY, bootstrap_with=clauses) as solver:
        models: dict[tuple[int, ...], list[int]] = {}
        for literals, free_part in samples:
            if literals not in models:
                if not solver.solve(assumptions=literals):
                    raise RuntimeError("the sample is not the projection of a model")
                models[literals] = solver.get_model()
            free = {abs(literal) for literal in free_part}
            yield [*(x for x in models[literals] if abs(x) not in free), *free_part]

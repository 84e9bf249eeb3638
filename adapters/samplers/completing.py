"""Whole models of drawn projections, each found by a solver under assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pysat.solvers import Solver

LIBRARY = "cadical195"


def free_literals(variables: Sequence[int], bits: int) -> list[int]:
    """Variables that no clause has, true where their bit is 1."""
    return [v if bits >> place & 1 else -v for place, v in enumerate(variables)]


def completed(
    clauses: Iterable[Sequence[int]], drawn: Iterable[tuple[tuple[int, ...], list[int]]]
) -> Iterator[list[int]]:
    """For each, the literals of variables that clauses have, and those of others, which stay."""
    with Solver(LIBRARY, bootstrap_with=clauses) as solver:
        known: dict[tuple[int, ...], list[int]] = {}
        for literals, others in drawn:
            if literals not in known:
                if not solver.solve(assumptions=literals):
                    raise RuntimeError("what was drawn is no model")
                known[literals] = solver.get_model()
            own = {abs(literal) for literal in others}
            yield [*(x for x in known[literals] if abs(x) not in own), *others]

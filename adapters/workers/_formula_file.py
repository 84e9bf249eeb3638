"""Reader of CNF files for workers: clauses as lists of literals, projection and weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from boardsat.adapters.solver_meter import mark_solver_start
from boardsat.adapters.workers import _small_cnf

# Imported only for large or weighted files: small ones are counted in less time.
if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np

    from boardsat.adapters.dimacs.reader import Cnf


class ProjectedFormula(NamedTuple):
    """Formula with the projection that its models are counted over."""

    variables: int
    """Number of variables."""
    projection: list[int]
    """Variables of the `c ind` lines; all variables if there are none."""
    clauses: Iterable[list[int]]
    weights: dict[int, Fraction] | None = None
    """Weights of literals. None if the file has none."""


@contextmanager
def open_projected_formula(path: str) -> Iterator[ProjectedFormula]:
    """Open a CNF file to count or sample its models."""
    small = _small_cnf.read(path)
    if small is not None:
        yield _projected_formula(small.variables, small.projection, small.clauses)
        return
    # A weighted count needs the first: it must not be imported while the solver is measured.
    from boardsat.adapters.counters import integer_weights  # noqa: F401
    from boardsat.adapters.dimacs.header import read_header
    from boardsat.adapters.dimacs.reader import open_cnf

    mark_solver_start()
    with open_cnf(path, strict=False) as cnf:
        counting = read_header(cnf.comments).counting
        projection = None if counting.projection is None else counting.projection.tolist()
        formula = _projected_formula(cnf.variables, projection, iter_clauses(cnf))
        yield formula._replace(weights=counting.weights)


def _projected_formula(
    variables: int, projection: list[int] | None, clauses: Iterable[list[int]]
) -> ProjectedFormula:
    all_variables = list(range(1, variables + 1))
    return ProjectedFormula(variables, all_variables if projection is None else projection, clauses)


def iter_clauses(cnf: Cnf, renamed: np.ndarray | None = None) -> Iterator[list[int]]:
    """Yield the clauses of an open file, with each literal x replaced by `renamed[x]`."""
    clause: list[int] = []
    for tokens in cnf.chunks():
        for token in (tokens if renamed is None else renamed[tokens]).tolist():
            if token:
                clause.append(token)
            else:
                yield clause
                clause = []

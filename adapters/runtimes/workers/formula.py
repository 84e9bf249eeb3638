"""Shared by workers: a formula as lists of literals, and the output of a count."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from boardsat.adapters.answer import MAX_COUNT_DIGITS, Status
from boardsat.adapters.runtimes.workers import plain
from boardsat.adapters.solver_meter import mark_solver_start

# Imported where they are used: most files are small, and counted in less time.
if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np

    from boardsat.adapters.dimacs.reader import Cnf


class ToCount(NamedTuple):
    variables: int
    projection: list[int]
    """The variables to count over: those of its `c ind` lines, or all."""
    clauses: Iterable[list[int]]
    weights: dict[int, Fraction] | None = None
    """Those of literals, where they have some."""


@contextmanager
def opened_formula(path: str) -> Iterator[ToCount]:
    small = plain.read(path)
    if small is not None:
        yield _to_count(small.variables, small.projection, small.clauses)
        return
    # A weighted count needs the first: it must not be imported while the solver is measured.
    from boardsat.adapters.counters import integer_weights  # noqa: F401
    from boardsat.adapters.dimacs.header import read_header
    from boardsat.adapters.dimacs.reader import open_cnf

    mark_solver_start()
    with open_cnf(path, strict=False) as cnf:
        header = read_header(cnf.comments)
        named = None if header.counting.projection is None else header.counting.projection.tolist()
        yield _to_count(cnf.variables, named, clauses(cnf))._replace(
            weights=header.counting.weights
        )


def _to_count(
    variables: int, projection: list[int] | None, clauses: Iterable[list[int]]
) -> ToCount:
    everything = list(range(1, variables + 1))
    return ToCount(variables, everything if projection is None else projection, clauses)


def clauses(cnf: Cnf, names: np.ndarray | None = None) -> Iterator[list[int]]:
    """The clauses, if so wished with the name that stands at the index of each literal."""
    clause: list[int] = []
    for tokens in cnf.chunks():
        for token in (tokens if names is None else names[tokens]).tolist():
            if token:
                clause.append(token)
            else:
                yield clause
                clause = []


def print_count(count: int) -> int:
    """The lines of the model counting competition, and its exit code."""
    if count >= 10**MAX_COUNT_DIGITS:
        print(f"a count of more than {MAX_COUNT_DIGITS:,} digits", file=sys.stderr)
        return 1
    status = Status.SATISFIABLE if count else Status.UNSATISFIABLE
    print(f"s {status.name}\ns mc {count}")
    return int(status.value)

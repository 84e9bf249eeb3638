"""Shared by workers: a formula as lists of literals, and the output of a count."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from boardsat.adapters.answer import Status
from boardsat.adapters.dimacs.header import read_header
from boardsat.adapters.dimacs.reader import Cnf, open_cnf


@contextmanager
def opened(path: str) -> Iterator[tuple[Cnf, list[int]]]:
    """A file, and the variables to count over: those of its `c ind` lines, or all."""
    with open_cnf(path, strict=False) as cnf:
        projection = read_header(cnf.comments).projection
        everything = range(1, cnf.variables + 1)
        yield cnf, list(everything) if projection is None else projection.tolist()


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
    status = Status.SATISFIABLE if count else Status.UNSATISFIABLE
    print(f"s {status.name}\ns mc {count}")
    return int(status.value)

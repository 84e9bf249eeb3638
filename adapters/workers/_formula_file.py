"""Readers of CNF files for workers: clauses as lists of literals, projection and weights.

Small files are read without NumPy, whose import would take longer than solving. Compressed, large
and unusually formatted files are left to the general reader.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from boardsat.adapters.solver_meter import mark_solver_start

# Imported only for large or weighted files: small ones are counted in less time.
if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np

    from boardsat.adapters.dimacs.reader import Cnf

MAX_SMALL_FILE_BYTES = 2**20
# From some megabytes on, the reader with NumPy is faster.

_LAYOUT = re.compile(
    rb"((?:c(?: [^\n]*)?\n)*)p cnf (\d{1,9}) (\d{1,9})\n((?:(?:-?[1-9]\d{0,8} )*0\n)*)", re.ASCII
)

# Comments that may define a projection or ask for weights; only `c ind` lines are read here.
_PROJECTION = re.compile(rb"^c +(?:ind|p|t +p?wmc)\b.*$", re.MULTILINE)
_INDEPENDENT = re.compile(rb"c ind(?: [1-9]\d{0,8})* 0", re.ASCII)


class SmallCnf(NamedTuple):
    """Formula of a small file."""

    variables: int
    """Number of variables."""
    clauses: list[list[int]]
    projection: list[int] | None
    """Variables of the `c ind` lines; None without such lines."""


def read_small_cnf(path: str) -> SmallCnf | None:
    """Return the formula of a file; None if the general reader is needed."""
    with open(path, "rb") as file:  # noqa: PTH123
        if os.fstat(file.fileno()).st_size > MAX_SMALL_FILE_BYTES:
            return None
        match = _LAYOUT.fullmatch(file.read())
    if match is None:
        return None
    comments, body = match[1], match[4]
    variables, declared_clauses = int(match[2]), int(match[3])
    clauses = [[*map(int, line.split()[:-1])] for line in body.splitlines()]
    lines = _PROJECTION.findall(comments)
    projection = [int(token) for line in lines for token in line.split()[2:-1] if token.isdigit()]
    largest = max((abs(x) for clause in [*clauses, projection] for x in clause), default=0)
    is_readable = (
        len(clauses) == declared_clauses
        and largest <= variables
        and all(map(_INDEPENDENT.fullmatch, lines))
        and all(a < b for a, b in pairwise(projection))
    )
    return SmallCnf(variables, clauses, projection if lines else None) if is_readable else None


class ProjectedFormula(NamedTuple):
    """Formula with the projection that its models are counted over."""

    variables: int
    """Number of variables."""
    projection: list[int]
    """Variables of the `c ind` lines; all variables without such lines."""
    clauses: Iterable[list[int]]
    weights: dict[int, Fraction] | None = None
    """Weights of literals; None if the file has no weights."""


@contextmanager
def open_projected_formula(path: str) -> Iterator[ProjectedFormula]:
    """Open a CNF file to count or sample its models."""
    small = read_small_cnf(path)
    if small is not None:
        yield _projected_formula(small.variables, small.projection, small.clauses)
        return
    # The module is needed for weights; imported here, it is not measured with the solver.
    import fractions  # noqa: F401

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

"""Reader of small CNF files without NumPy, whose import would take longer than solving.

Compressed, large and unusually formatted files are left to the general reader.
"""

from __future__ import annotations

import os
import re
from itertools import pairwise
from typing import NamedTuple

MAX_FILE_BYTES = 2**20
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
    """Variables of the `c ind` lines. None if there are none."""


def read(path: str) -> SmallCnf | None:
    """Return the formula of a file; None if the general reader is needed."""
    with open(path, "rb") as file:  # noqa: PTH123
        if os.fstat(file.fileno()).st_size > MAX_FILE_BYTES:
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

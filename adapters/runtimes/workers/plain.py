"""Reads a small file without numpy, whose import would take longer than solving.

What is compressed, large, or laid out in any other way is left to the reader of all files.
"""

from __future__ import annotations

import os
import re
from itertools import pairwise
from typing import NamedTuple

LARGEST = 2**20
"""Bytes of a file that is read here: numpy is quicker from some megabytes on."""

_LAYOUT = re.compile(
    rb"((?:c(?: [^\n]*)?\n)*)p cnf (\d{1,9}) (\d{1,9})\n((?:(?:-?[1-9]\d{0,8} )*0\n)*)", re.ASCII
)


# Whatever else begins like this may be meant as a projection, or may not; or asks for weights.
_PROJECTION = re.compile(rb"^c +(?:ind|p|t +p?wmc)\b.*$", re.MULTILINE)
_INDEPENDENT = re.compile(rb"c ind(?: [1-9]\d{0,8})* 0", re.ASCII)


class Plain(NamedTuple):
    variables: int
    clauses: list[list[int]]
    projection: list[int] | None
    """None where the file has none."""


def read(path: str) -> Plain | None:
    """The formula, or None where the file is not as plain as that, or says what it is not."""
    with open(path, "rb") as file:  # noqa: PTH123
        if os.fstat(file.fileno()).st_size > LARGEST:
            return None
        found = _LAYOUT.fullmatch(file.read())
    if found is None:
        return None
    variables, number = int(found[2]), int(found[3])
    clauses = [[*map(int, line.split()[:-1])] for line in found[4].splitlines()]
    lines = _PROJECTION.findall(found[1])
    named = [int(word) for line in lines for word in line.split()[2:-1] if word.isdigit()]
    largest = max((abs(x) for clause in [*clauses, named] for x in clause), default=0)
    is_plain = (
        len(clauses) == number
        and largest <= variables
        and all(map(_INDEPENDENT.fullmatch, lines))
        and all(a < b for a, b in pairwise(named))
    )
    return Plain(variables, clauses, named if lines else None) if is_plain else None

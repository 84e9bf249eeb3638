"""Reads a small file without numpy, whose import would take longer than solving.

What is compressed, large, or laid out in any other way is left to the reader of all files.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

LARGEST = 2**20
"""Bytes of a file that is read here: numpy is quicker from some megabytes on."""

_LAYOUT = re.compile(
    rb"(?:c(?: [^\n]*)?\n)*p cnf (\d{1,9}) (\d{1,9})\n((?:(?:-?[1-9]\d{0,8} )*0\n)*)", re.ASCII
)


class Plain(NamedTuple):
    variables: int
    clauses: list[list[int]]


def read(path: str) -> Plain | None:
    """The formula, or None where the file is not as plain as that, or says what it is not."""
    with open(path, "rb") as file:  # noqa: PTH123
        if os.fstat(file.fileno()).st_size > LARGEST:
            return None
        found = _LAYOUT.fullmatch(file.read())
    if found is None:
        return None
    variables, number = int(found[1]), int(found[2])
    clauses = [[*map(int, line.split()[:-1])] for line in found[3].splitlines()]
    largest = max((abs(x) for clause in clauses for x in clause), default=0)
    return Plain(variables, clauses) if len(clauses) == number and largest <= variables else None

"""KNF of Cardinality-CDCL: `p knf VARIABLES LINES`, clauses, and `k 2 1 -3 4 0`: 2 of them hold."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import numpy as np

from boardsat.adapters.dimacs.faults import quoted
from boardsat.adapters.formats._line_reader import (
    MAX_VARIABLE,
    LineReader,
    Numbers,
    are_literals,
    begins_of,
    zero_terminated_lines,
)
from boardsat.adapters.formats._linear_formula import AtLeast, Linear, Wishes

COUNTED = 10**9
"""First number of a cardinality constraint in place of its `k`: more than any variable."""

_HEADER = re.compile(rb"^p +knf +([0-9]{1,9}) +([0-9]{1,9})\n", re.MULTILINE)


class _Reader(LineReader):
    mark = b"c"
    remedy = "write `LITERALS 0`, or `k NUMBER LITERALS 0`"

    def parse(self, text: bytes) -> tuple[Numbers, ...] | None:
        """Return the bound of every constraint, its number of literals, all literals; headers."""
        headers = [int(number) for pair in _HEADER.findall(text) for number in pair]
        text = _HEADER.sub(b"", text) if headers else text
        lines = zero_terminated_lines(text, b"k", COUNTED)
        if lines is None:
            return None
        numbers, starts, ends, is_counted = lines
        lengths = ends - starts - 2 * is_counted
        if (lengths < 0).any():
            return None
        marks = starts[is_counted]
        bounds = np.ones(len(starts), np.int64)
        bounds[is_counted] = numbers[marks + 1]
        literals = np.delete(numbers, np.concatenate([marks, marks + 1, ends]))
        is_valid = are_literals(literals) and ((bounds >= 0) & (bounds <= MAX_VARIABLE)).all()
        return (bounds, lengths, literals, np.array(headers, np.int64)) if is_valid else None

    def fault_of(self, line: bytes) -> str:
        if line.startswith(b"p"):
            return f"{quoted(line)} is no `p knf VARIABLES LINES`"
        if re.fullmatch(rb"(?:k )?[-0-9 \t]+", line) and line.split()[-1] != b"0":
            return "a line without its 0"
        return super().fault_of(line)


def read(path: str | os.PathLike[str], name: str | None = None) -> Linear:
    """All of a file; DimacsError at its first fault."""
    reader = _Reader(path, name)
    bounds, lengths, literals, headers = reader.columns(4)
    variables = int(np.abs(literals).max(initial=0))
    if len(headers) != 2:
        reader.fail(f"{len(headers) // 2} headers", "write one `p knf VARIABLES LINES`")
    declared, number = headers.tolist()
    if declared < variables or number != len(bounds):
        what = f"variables up to {variables} and {len(bounds)} lines"
        reader.fail(f"{what}, not as the header says", "correct `p knf VARIABLES LINES`")
    none = np.zeros(0, np.int64)
    return Linear(
        variables=declared,
        hard=AtLeast(literals.astype(np.int32), begins_of(lengths), bounds),
        soft=Wishes(none.astype(np.int32), np.zeros(1, np.int64), none),
        paid=0,
        optimises=False,
        comments=tuple(reader.comments),
        constraints=number,
        declares_constraints=True,
        lines=reader.line,
        bytes=reader.bytes,
    )


def text(linear: Linear) -> Iterator[bytes]:
    """As every solver reads it: no comments, one constraint a line."""
    hard = linear.hard
    yield f"p knf {linear.variables} {len(hard)}\n".encode()
    for bound, pairs in hard.rows():
        words = "".join(f"{literal} " for _, literal in pairs)
        yield f"{'' if bound == 1 else f'k {bound} '}{words}0\n".encode()

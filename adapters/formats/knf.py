"""KNF of Cardinality-CDCL: `p knf VARIABLES LINES`, clauses, and `k 2 1 -3 4 0`: 2 of them hold."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.dimacs.faults import quoted
from boardsat.adapters.formats._linear import AtLeast, Linear, Wishes
from boardsat.adapters.formats._lines import LineReader, begins_of, put_together

Numbers = NDArray[np.int64]

_LITERALS = rb"(?:-?[1-9][0-9]{0,8}+[ \t]++)*+0[ \t\r]*+\n"
_LINE = (
    rb"[ \t]*+(?:k[ \t]++[1-9][0-9]{0,8}+[ \t]++)?+%b"
    rb"|p[ \t]++knf(?:[ \t]++[0-9]{1,9}+){2}[ \t\r]*+\n|[ \t\r]*+\n" % _LITERALS
)
_LINES = re.compile(rb"(?:%b)*+" % _LINE)
_HEADER = re.compile(rb"^p[ \t]+knf[ \t]+([0-9]+)[ \t]+([0-9]+)[ \t\r]*\n", re.MULTILINE)
_COUNTED = re.compile(rb"^[ \t]*k([^\n]*\n)", re.MULTILINE)


class _Reader(LineReader):
    remedy = "write `LITERALS 0`, or `k NUMBER LITERALS 0`"

    def fault_of(self, line: bytes) -> str:
        if line.startswith(b"p"):
            return f"{quoted(line)} is no `p knf VARIABLES LINES`"
        if re.fullmatch(rb"(?:k )?[-0-9 \t]+", line) and line.split()[-1] != b"0":
            return "a line without its 0"
        return super().fault_of(line)


def read(path: str | os.PathLike[str], name: str | None = None) -> Linear:
    """All of a file; DimacsError at its first fault."""
    reader = _Reader(path, name, _LINES, "c")
    headers: list[tuple[bytes, bytes]] = []
    blocks: list[tuple[Numbers, ...]] = []
    for block in reader.blocks():
        headers += _HEADER.findall(block)
        left = _HEADER.sub(b"", block)
        counted = b"".join(_COUNTED.findall(left))
        for text, has_bound in ((_COUNTED.sub(b"", left), False), (counted, True)):
            if text.strip():
                blocks.append(_split(reader.numbers(text), has_bound))
    bounds, lengths, literals = (put_together([b[k] for b in blocks]) for k in range(3))
    variables = int(np.abs(literals).max(initial=0))
    reader.line -= 1
    if len(headers) != 1:
        reader.fail(f"{len(headers)} headers", "write one `p knf VARIABLES LINES`")
    declared, number = map(int, headers[0])
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
        lines=reader.line,
        bytes=reader.bytes,
    )


def _split(tokens: Numbers, has_bound: bool) -> tuple[Numbers, ...]:
    """Of every line its number, how many literals it has, and all of these."""
    ends = np.flatnonzero(tokens == 0)
    starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64)
    inner = tokens != 0
    if not has_bound:
        return np.ones(len(ends), np.int64), ends - starts, tokens[inner]
    inner[starts] = False
    return tokens[starts], ends - starts - 1, tokens[inner]


def text(linear: Linear) -> Iterator[bytes]:
    """As every solver reads it: no comments, one constraint a line."""
    hard = linear.hard
    yield f"p knf {linear.variables} {len(hard)}\n".encode()
    starts, literals = hard.starts.tolist(), hard.literals.tolist()
    for number, bound in enumerate(hard.bounds.tolist()):
        words = " ".join(map(str, [*literals[starts[number] : starts[number + 1]], 0]))
        yield f"{'' if bound == 1 else f'k {bound} '}{words}\n".encode()

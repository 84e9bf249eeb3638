"""WCNF of MaxSAT evaluations since 2022: `h 1 -2 0` is hard, `3 1 -2 0` costs 3 if it is false."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import numpy as np

from boardsat.adapters.dimacs.faults import quoted
from boardsat.adapters.dimacs.rewrite import clause_lines
from boardsat.adapters.formats._line_reader import (
    LineReader,
    Numbers,
    are_literals,
    begins_of,
    zero_terminated_lines,
)
from boardsat.adapters.formats._linear_formula import AtLeast, Linear, Wishes

HARD = -1
"""In place of a weight."""

LARGEST = 2**62
"""More than what a model pays in all."""


class _Reader(LineReader):
    mark = b"c"
    remedy = "write `h LITERALS 0`, or `WEIGHT LITERALS 0`"

    def parse(self, text: bytes) -> tuple[Numbers, ...] | None:
        """Return the weight of every clause or HARD, its number of literals, and all literals."""
        lines = zero_terminated_lines(text, b"h", HARD)
        if lines is None:
            return None
        numbers, starts, ends, _ = lines
        heads = numbers[starts]
        literals = np.delete(numbers, np.concatenate([starts, ends]))
        is_valid = are_literals(literals) and (heads >= HARD).all() and heads.all()
        return (heads, ends - starts - 1, literals) if is_valid else None

    def fault_of(self, line: bytes) -> str:
        words = line.split()
        if line.startswith(b"p"):
            return "a `p` line, as files before 2022 have it, with another way to mark hard clauses"
        if re.fullmatch(rb"(?:h|[1-9][0-9]*)(?: -?[0-9]+)*", b" ".join(words)):
            if words[-1] != b"0":
                return "a clause without its 0"
            if b"0" in words[1:-1]:
                return "more than one clause on a line"
            return f"a number that is too large in {quoted(line)}"
        if words and words[0].isdigit() and not words[0].strip(b"0"):
            return "a weight of 0"
        return super().fault_of(line)


def read(path: str | os.PathLike[str], name: str | None = None) -> Linear:
    """All of a file; DimacsError at its first fault."""
    reader = _Reader(path, name)
    heads, lengths, literals = reader.columns(3)
    is_hard = heads == HARD
    in_hard = np.repeat(is_hard, lengths)
    hard = literals[in_hard].astype(np.int32)
    wished = literals[~in_hard].astype(np.int32)
    weights = heads[~is_hard]
    if weights.sum(dtype=object) >= LARGEST:
        reader.fail("weights that grow too large", "their sum must stay below 2**62")
    # What nobody can satisfy is paid by every model.
    empty = lengths[~is_hard] == 0
    soft = Wishes(wished, begins_of(lengths[~is_hard][~empty]), weights[~empty])
    return Linear(
        variables=int(np.abs(literals).max(initial=0)),
        hard=AtLeast(hard, begins_of(lengths[is_hard]), np.ones(int(is_hard.sum()), np.int64)),
        soft=soft,
        paid=int(weights[empty].sum()),
        optimises=not is_hard.all(),
        comments=tuple(reader.comments),
        constraints=len(heads),
        declares_constraints=False,
        lines=reader.line,
        bytes=reader.bytes,
    )


def text(linear: Linear) -> Iterator[bytes]:
    """As every solver reads it: no comments, one clause a line, none that is empty and soft."""
    ends = linear.hard.starts[1:]
    tokens = np.insert(linear.hard.literals, ends, 0)
    yield re.sub(rb"(?m)^(?=[-0-9])", b"h ", clause_lines(tokens))
    for weight, literals in linear.clauses():
        yield " ".join(map(str, (weight, *literals, "0\n"))).encode()

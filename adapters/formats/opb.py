"""OPB of pseudo-Boolean competitions: `+3 x1 -2 ~x2 >= 1 ;`, or `=`, and `min: +1 x1 ;`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.dimacs.faults import quoted
from boardsat.adapters.dimacs.text import MAX_REPEATS, covers
from boardsat.adapters.formats._line_reader import LineReader, Numbers, begins_of, put_together
from boardsat.adapters.formats._linear_formula import AtLeast, Linear, Wishes
from boardsat.base.text import pluralize

REACHES, IS = 2**62, 2**62 + 1
"""In place of `>=` and `=`: no number of a file is as large."""

LARGEST = 2**62
"""More than what a constraint counts in all."""

# Of text with single spaces, so that no run of them is tried in parts.
_TERM = rb"[+-]?[0-9]{1,18} ~?x[1-9][0-9]{0,8}(?: |(?=[>=])|\Z)"
_TERMS = re.compile(rb"(?:%b){1,%d}" % (_TERM, MAX_REPEATS))
_CONSTRAINTS = re.compile(
    rb"(?:%b|(?<=[ 0-9])>?= ?[+-]?[0-9]{1,18} ?;\n|^\n){1,%d}" % (_TERM, MAX_REPEATS), re.MULTILINE
)
_COUNTS = re.compile(r"#variable= *([0-9]{1,10}) +#constraint= *([0-9]{1,10})(?![0-9])")
_OBJECTIVE = re.compile(rb"^min: ?([^;\n]*);\n", re.MULTILINE)


class _Reader(LineReader):
    mark = b"*"
    remedy = "write `+3 x1 -2 x2 >= 1 ;` on a line of its own"

    def parse(self, text: bytes) -> tuple[Numbers, ...] | None:
        """Return the columns of `_split`, the terms of objectives, and how many each has."""
        while b"  " in text:
            text = text.replace(b"  ", b" ")
        objectives = _OBJECTIVE.findall(text) if b"min:" in text else []
        constraints = _OBJECTIVE.sub(b"", text) if objectives else text
        if not (covers(_CONSTRAINTS, constraints) and all(covers(_TERMS, o) for o in objectives)):
            return None
        goals = [_numbers(objective) for objective in objectives]
        lengths = np.array([len(goal) for goal in goals], np.int64)
        return (*_split(_numbers(constraints)), put_together(goals), lengths)

    def fault_of(self, line: bytes) -> str:
        if re.search(rb"x[0-9]+[ \t]+~?x", line):
            return "a product of variables"
        if line.startswith((b"soft:", b"[", b"max:")):
            return f"{quoted(line.split()[0])}, which is not read here"
        if b"<" in line:
            return "`<` or `<=`"
        if re.search(rb"[0-9]{19}|x[0-9]{10}", line):
            return f"a number that is too large in {quoted(line)}"
        if not line.endswith(b";"):
            return "a line without its `;`"
        return super().fault_of(line)


def read(path: str | os.PathLike[str], name: str | None = None) -> Linear:
    """All of a file; DimacsError at its first fault."""
    reader = _Reader(path, name)
    lengths, signs, bounds, pairs, goal, goals = reader.columns(6)
    if len(goals) > 1:
        reader.fail("two objectives", "write one")
    weights, literals = pairs[::2], pairs[1::2]
    constraints = len(bounds)
    paid, wishes = _paid(goal)
    hard = _positive(lengths, bounds, weights, literals, signs == IS)
    for total in (wishes.weights.sum(dtype=object), _largest(hard)):
        if total >= LARGEST:
            reader.fail("numbers that grow too large", "their sum must stay below 2**62")
    # A variable of weight 0 is one of the file's too.
    largest = int(np.abs(np.concatenate([literals, goal[1::2]])).max(initial=0))
    declared = _declared(reader, largest, constraints)
    return Linear(
        variables=largest if declared is None else declared,
        hard=hard,
        soft=wishes,
        paid=paid,
        optimises=bool(len(goals)),
        comments=tuple(reader.comments),
        constraints=constraints,
        declares_constraints=declared is not None,
        lines=reader.line,
        bytes=reader.bytes,
    )


def _declared(reader: _Reader, variables: int, constraints: int) -> int | None:
    """Return the variables that the first line declares, in the form of competitions, or None.

    Raise DimacsError if the file has other counts than it declares.
    """
    declared = _COUNTS.match(reader.comments[0]) if reader.comments else None
    if declared is None:
        return None
    if variables > int(declared[1]) or constraints != int(declared[2]):
        what = f"variables up to {variables} and {pluralize(constraints, 'constraint')}"
        reader.fail(f"{what}, not as the first line says", "get the whole file, or correct it")
    return int(declared[1])


def _numbers(text: bytes) -> Numbers:
    """Return all numbers; a variable is its index, negative after `~`."""
    text = text.replace(b"~x", b" -").replace(b"x", b" ").replace(b";", b" ")
    text = text.replace(b">=", b" %d " % REACHES).replace(b"=", b" %d " % IS)
    # Of a text that is blank, it would make one number.
    return np.fromstring(text, np.int64, sep=" ") if text.strip() else np.zeros(0, np.int64)


def _split(tokens: Numbers) -> tuple[Numbers, ...]:
    """Of every line how many pairs it has, its sign and its bound; and all pairs."""
    marks = np.flatnonzero(tokens >= REACHES)
    starts = np.concatenate([[0], marks + 2])[:-1]
    inner = np.ones(len(tokens), np.bool_)
    inner[marks] = inner[marks + 1] = False
    return (marks - starts) // 2, tokens[marks], tokens[marks + 1], tokens[inner]


def _positive(
    lengths: Numbers, bounds: Numbers, weights: Numbers, literals: Numbers, equal: NDArray[np.bool_]
) -> AtLeast:
    """Sums that reach a number, by positive weights: what counts -2 is -2, and 2 for its negation.

    That a sum is a number is said twice: the second half, with all signs changed, follows the rest.
    """
    inside = np.repeat(equal, lengths)
    lengths = np.concatenate([lengths, lengths[equal]])
    bounds = np.concatenate([bounds, -bounds[equal]])
    weights = np.concatenate([weights, -weights[inside]])
    literals = np.concatenate([literals, literals[inside]])
    negative = weights < 0
    rows = np.repeat(np.arange(len(bounds)), lengths)
    np.subtract.at(bounds, rows[negative], weights[negative])
    counts = weights != 0
    signed = np.where(negative, -literals, literals)[counts].astype(np.int32)
    sizes = np.bincount(rows[counts], minlength=len(bounds))
    return AtLeast(signed, begins_of(sizes), bounds, np.abs(weights[counts]))


def _largest(sums: AtLeast) -> int:
    """More than any of them counts: by floats, which do not wrap around."""
    assert sums.weights is not None
    running = np.concatenate([[0.0], np.cumsum(sums.weights.astype(np.float64))])
    return int(1.01 * np.diff(running[sums.starts]).max(initial=0))


def _paid(pairs: Numbers) -> tuple[int, Wishes]:
    """What every model pays, and for which literals: one that costs is its negation as a wish."""
    weights, literals = pairs[::2], pairs[1::2]
    literals, weights = literals[weights != 0], weights[weights != 0]
    wished = np.where(weights > 0, -literals, literals).astype(np.int32)
    constant = int(weights[weights < 0].sum(dtype=object))
    return constant, Wishes(wished, np.arange(len(wished) + 1), np.abs(weights))


def text(linear: Linear) -> Iterator[bytes]:
    """As every solver reads it: no comments, one constraint a line."""
    hard = linear.hard
    yield f"* #variable= {linear.variables} #constraint= {len(hard)}\n".encode()
    if linear.optimises:
        words = [f"{weight:+d} {_word(-clause[0])} " for weight, clause in linear.clauses()]
        yield f"min: {''.join(words)};\n".encode()
    for bound, pairs in hard.rows():
        words = [f"{weight:+d} {_word(literal)} " for weight, literal in pairs] or ["+0 x1 "]
        yield f"{''.join(words)}>= {bound} ;\n".encode()


def _word(literal: int) -> str:
    return f"x{literal}" if literal > 0 else f"~x{-literal}"

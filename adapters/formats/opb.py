"""OPB of pseudo-Boolean competitions: `+3 x1 -2 ~x2 >= 1 ;`, or `=`, and `min: +1 x1 ;`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.dimacs.faults import quoted
from boardsat.adapters.formats._linear import AtLeast, Linear, Wishes
from boardsat.adapters.formats._lines import LineReader, begins_of, put_together
from boardsat.base.text import pluralize

REACHES, IS = 2**62, 2**62 + 1
"""In place of `>=` and `=`: no number of a file is as large."""

LARGEST = 2**62
"""More than what a constraint counts in all."""

Numbers = NDArray[np.int64]

_TERMS = rb"(?:[+-]?[0-9]{1,18}+[ \t]++~?x[1-9][0-9]{0,8}+(?:[ \t]++|(?=[>=;])))"
_LINE = (
    rb"[ \t]*+(?:%b++(?:>=|=)[ \t]*+[+-]?[0-9]{1,18}+|min:[ \t]*+%b*+)[ \t]*+;[ \t\r]*+\n"
    rb"|[ \t\r]*+\n" % (_TERMS, _TERMS)
)
_LINES = re.compile(rb"(?:%b)*+" % _LINE)
_COUNTS = re.compile(r"#variable= *([0-9]{1,10}) +#constraint= *([0-9]{1,10})(?![0-9])")
_OBJECTIVE = re.compile(rb"^[ \t]*min:([^;]*);[ \t\r]*\n", re.MULTILINE)


class _Reader(LineReader):
    remedy = "write `+3 x1 -2 x2 >= 1 ;` on a line of its own"

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
    reader = _Reader(path, name, _LINES, "*")
    blocks: list[tuple[Numbers, ...]] = []
    goals: list[Numbers] = []
    for block in reader.blocks():
        for goal in _OBJECTIVE.findall(block):
            goals.append(reader.numbers(_plain(goal)) if goal.strip() else np.zeros(0, np.int64))
        left = _OBJECTIVE.sub(b"", block)
        if left.strip():
            blocks.append(_split(reader.numbers(_plain(left))))
    reader.line -= 1
    if len(goals) > 1:
        reader.fail("two objectives", "write one")
    lengths, signs, bounds, pairs = (put_together([b[k] for b in blocks]) for k in range(4))
    weights, literals = pairs[::2], pairs[1::2]
    constraints = len(bounds)
    paid, wishes = _paid(goals[0] if goals else np.zeros(0, np.int64))
    hard = _positive(lengths, bounds, weights, literals, signs == IS)
    for total in (wishes.weights.sum(dtype=object), _largest(hard)):
        if total >= LARGEST:
            reader.fail("numbers that grow too large", "their sum must stay below 2**62")
    largest = int(max(np.abs(each).max(initial=0) for each in (literals, wishes.literals)))
    _compare(reader, largest, constraints)
    return Linear(
        variables=largest,
        hard=hard,
        soft=wishes,
        paid=paid,
        optimises=bool(goals),
        comments=tuple(reader.comments),
        constraints=constraints,
        lines=reader.line,
        bytes=reader.bytes,
    )


def _compare(reader: _Reader, variables: int, constraints: int) -> None:
    """Hold a file against its first line, where that has the form of competitions."""
    told = _COUNTS.match(reader.comments[0]) if reader.comments else None
    if told and (variables > int(told[1]) or constraints != int(told[2])):
        what = f"variables up to {variables} and {pluralize(constraints, 'constraint')}"
        reader.fail(f"{what}, not as the first line says", "get the whole file, or correct it")


def _plain(text: bytes) -> bytes:
    """Numbers alone: a variable by its own, negated ones with a sign."""
    text = text.replace(b"~x", b" -").replace(b"x", b" ").replace(b";", b" ")
    return text.replace(b">=", b" %d " % REACHES).replace(b"=", b" %d " % IS)


def _split(tokens: Numbers) -> tuple[Numbers, ...]:
    """Of every line how many pairs it has, its sign and its bound; and all pairs."""
    marks = np.flatnonzero(tokens >= REACHES)
    starts = np.concatenate([[0], marks[:-1] + 2]).astype(np.int64)
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
    starts, literals = hard.starts.tolist(), hard.literals.tolist()
    weights = [1] * len(literals) if hard.weights is None else hard.weights.tolist()
    for number, bound in enumerate(hard.bounds.tolist()):
        part = slice(starts[number], starts[number + 1])
        pairs = zip(weights[part], literals[part], strict=True)
        words = [f"{weight:+d} {_word(literal)} " for weight, literal in pairs] or ["+0 x1 "]
        yield f"{''.join(words)}>= {bound} ;\n".encode()


def _word(literal: int) -> str:
    return f"x{literal}" if literal > 0 else f"~x{-literal}"

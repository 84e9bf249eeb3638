"""OPB format of pseudo-Boolean competitions.

Constraints are `+3 x1 -2 ~x2 >= 1 ;` or with `=`; an objective is `min: +1 x1 ;`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.dimacs.text import MAX_REPEATS, covers, quoted
from boardsat.adapters.formats._line_reader import LineReader, Numbers, concatenate, row_starts
from boardsat.adapters.formats._linear_formula import (
    AtLeastConstraints,
    LinearFormula,
    WeightedClauses,
)

HAS_LINEAR_CONSTRAINTS, HAS_OBJECTIVE = True, True

_GE_CODE, _EQ_CODE = 2**62, 2**62 + 1
"""Numbers that replace `>=` and `=`; larger than any number of a file."""

MAX_TOTAL = 2**62
"""Exclusive limit on the sum of the weights of a constraint or objective."""

# For text with single spaces: a run of spaces could be matched in many ways.
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
        """Return the columns of `_split`, the terms of objectives, and their lengths."""
        while b"  " in text:
            text = text.replace(b"  ", b" ")
        objectives = _OBJECTIVE.findall(text) if b"min:" in text else []
        constraints = _OBJECTIVE.sub(b"", text) if objectives else text
        if not (covers(_CONSTRAINTS, constraints) and all(covers(_TERMS, o) for o in objectives)):
            return None
        terms = [_numbers(objective) for objective in objectives]
        lengths = np.array([len(objective_terms) for objective_terms in terms], np.int64)
        return (*_split(_numbers(constraints)), concatenate(terms), lengths)

    def fault_of(self, line: bytes) -> str:
        if re.search(rb"x[0-9]+[ \t]+~?x", line):
            return "products of variables are not supported"
        if line.startswith((b"soft:", b"[", b"max:")):
            return f"{quoted(line.split()[0])} is not supported"
        if b"<" in line:
            return "`<` and `<=` are not supported"
        if re.search(rb"[0-9]{19}|x[0-9]{10}", line):
            return f"a number is too large in {quoted(line)}"
        if not line.endswith(b";"):
            return "the line has no `;` at its end"
        return super().fault_of(line)


def read(path: str | os.PathLike[str], name: str | None = None) -> LinearFormula:
    """Parse a whole file.

    Parameters
    ----------
    path : str or path-like
        File, decompressed if its suffix is .gz, .xz or .zst.
    name : str, optional
        Name of the file in errors. Default: its path.

    Returns
    -------
    LinearFormula
        Constraints, soft clauses and comments of the file.

    Raises
    ------
    DimacsError
        The file cannot be read, or is malformed; the error has the line of the first fault.
    """
    reader = _Reader(path, name)
    lengths, operators, bounds, terms, objective, objective_lengths = reader.columns(6)
    if len(objective_lengths) > 1:
        fault = f"the file must have at most one objective (got {len(objective_lengths)})"
        reader.fail(fault, "write one")
    weights, literals = terms[::2], terms[1::2]
    constraints = len(bounds)
    base_cost, soft = _soft_clauses(objective)
    hard = _positive(lengths, bounds, weights, literals, operators == _EQ_CODE)
    for total in (soft.weights.sum(dtype=object), _max_total(hard)):
        if total >= MAX_TOTAL:
            fault = "the sum of the weights of a constraint or objective must be below 2**62"
            reader.fail(f"{fault} (got about {float(total):.3g})")
    # Variables of weight 0 count as well.
    max_variable = int(np.abs(np.concatenate([literals, objective[1::2]])).max(initial=0))
    declared = _declared(reader, max_variable, constraints)
    return reader.formula(
        max_variable if declared is None else declared,
        hard,
        constraints,
        declares_constraints=declared is not None,
        soft=soft,
        base_cost=base_cost,
        has_objective=bool(len(objective_lengths)),
    )


def _declared(reader: _Reader, variables: int, constraints: int) -> int | None:
    """Return the number of variables that the first line declares; None if it declares none.

    Raise DimacsError if the counts of the file do not match the line.
    """
    declared = _COUNTS.match(reader.comments[0]) if reader.comments else None
    if declared is None:
        return None
    counts = int(declared[1]), int(declared[2])
    if variables > counts[0] or constraints != counts[1]:
        reader.fail_counts("first line", "constraint", counts, (variables, constraints))
    return counts[0]


def _numbers(text: bytes) -> Numbers:
    """Return all numbers; a variable is its index, negative after `~`."""
    text = text.replace(b"~x", b" -").replace(b"x", b" ").replace(b";", b" ")
    text = text.replace(b">=", b" %d " % _GE_CODE).replace(b"=", b" %d " % _EQ_CODE)
    # np.fromstring returns one number for a blank text.
    return np.fromstring(text, np.int64, sep=" ") if text.strip() else np.zeros(0, np.int64)


def _split(tokens: Numbers) -> tuple[Numbers, ...]:
    """Return the number of terms, the operator and the bound of each line, and all terms."""
    positions = np.flatnonzero(tokens >= _GE_CODE)
    starts = np.concatenate([[0], positions + 2])[:-1]
    is_term = np.ones(len(tokens), np.bool_)
    is_term[positions] = is_term[positions + 1] = False
    return (positions - starts) // 2, tokens[positions], tokens[positions + 1], tokens[is_term]


def _positive(
    lengths: Numbers,
    bounds: Numbers,
    weights: Numbers,
    literals: Numbers,
    is_equality: NDArray[np.bool_],
) -> AtLeastConstraints:
    """Normalize constraints to lower bounds with positive weights.

    A weight of -2 becomes -2 on the bound and 2 for the negated literal. An equality becomes two
    constraints; the second ones, with all signs changed, follow all others.
    """
    in_equality = np.repeat(is_equality, lengths)
    lengths = np.concatenate([lengths, lengths[is_equality]])
    bounds = np.concatenate([bounds, -bounds[is_equality]])
    weights = np.concatenate([weights, -weights[in_equality]])
    literals = np.concatenate([literals, literals[in_equality]])
    negative = weights < 0
    rows = np.repeat(np.arange(len(bounds)), lengths)
    np.subtract.at(bounds, rows[negative], weights[negative])
    is_nonzero = weights != 0
    signed = np.where(negative, -literals, literals)[is_nonzero].astype(np.int32)
    sizes = np.bincount(rows[is_nonzero], minlength=len(bounds))
    return AtLeastConstraints(signed, row_starts(sizes), bounds, np.abs(weights[is_nonzero]))


def _max_total(constraints: AtLeastConstraints) -> int:
    """Return an upper bound on the sums of weights, in floats because they do not overflow."""
    assert constraints.weights is not None
    totals = np.concatenate([[0.0], np.cumsum(constraints.weights.astype(np.float64))])
    return int(1.01 * np.diff(totals[constraints.starts]).max(initial=0))


def _soft_clauses(objective: Numbers) -> tuple[int, WeightedClauses]:
    """Return the base cost and the soft clauses of an objective: negations of costly literals."""
    weights, literals = objective[::2], objective[1::2]
    literals, weights = literals[weights != 0], weights[weights != 0]
    clauses = np.where(weights > 0, -literals, literals).astype(np.int32)
    base_cost = int(weights[weights < 0].sum(dtype=object))
    return base_cost, WeightedClauses(clauses, np.arange(len(clauses) + 1), np.abs(weights))


def text(formula: LinearFormula) -> Iterator[bytes]:
    """Yield the formula without comments, one constraint on a line."""
    hard = formula.hard
    yield f"* #variable= {formula.variables} #constraint= {len(hard)}\n".encode()
    if formula.has_objective:
        terms = [
            f"{weight:+d} {_literal(-clause[0])} " for weight, clause in formula.soft_clauses()
        ]
        yield f"min: {''.join(terms)};\n".encode()
    for bound, pairs in hard.rows():
        terms = [f"{weight:+d} {_literal(literal)} " for weight, literal in pairs] or ["+0 x1 "]
        yield f"{''.join(terms)}>= {bound} ;\n".encode()


def _literal(literal: int) -> str:
    return f"x{literal}" if literal > 0 else f"~x{-literal}"

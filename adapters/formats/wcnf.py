"""WCNF format of MaxSAT evaluations since 2022: hard clauses `h 1 -2 0`, soft `3 1 -2 0`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import numpy as np

from boardsat.adapters.dimacs.rewrite import clause_lines
from boardsat.adapters.dimacs.text import quoted
from boardsat.adapters.formats._line_reader import (
    LineReader,
    Numbers,
    are_literals,
    row_starts,
    zero_terminated_lines,
)
from boardsat.adapters.formats._linear_formula import (
    AtLeastConstraints,
    LinearFormula,
    WeightedClauses,
)

HAS_LINEAR_CONSTRAINTS, HAS_OBJECTIVE = False, True

_HARD_CODE = -1
"""Number that replaces the letter `h` of hard clauses."""

MAX_TOTAL_WEIGHT = 2**62
"""Exclusive limit on the sum of all weights."""


class _Reader(LineReader):
    mark = b"c"
    remedy = "write `h LITERALS 0`, or `WEIGHT LITERALS 0`"

    def parse(self, text: bytes) -> tuple[Numbers, ...] | None:
        """Return weights (_HARD_CODE for hard clauses), lengths and literals of the clauses."""
        lines = zero_terminated_lines(text, b"h", _HARD_CODE)
        if lines is None:
            return None
        numbers, starts, ends, _ = lines
        weights = numbers[starts]
        literals = np.delete(numbers, np.concatenate([starts, ends]))
        is_valid = are_literals(literals) and (weights >= _HARD_CODE).all() and weights.all()
        return (weights, ends - starts - 1, literals) if is_valid else None

    def fault_of(self, line: bytes) -> str:
        tokens = line.split()
        if line.startswith(b"p"):
            return "the `p` line of the format before 2022 is not supported"
        if re.fullmatch(rb"(?:h|[1-9][0-9]*)(?: -?[0-9]+)*", b" ".join(tokens)):
            if tokens[-1] != b"0":
                return "the clause has no 0 at its end"
            if b"0" in tokens[1:-1]:
                return "the line has more than one clause"
            return f"a number is too large in {quoted(line)}"
        if tokens and tokens[0].isdigit() and not tokens[0].strip(b"0"):
            return "weights must be at least 1 (got 0)"
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
    all_weights, lengths, literals = reader.columns(3)
    is_hard = all_weights == _HARD_CODE
    in_hard = np.repeat(is_hard, lengths)
    hard_literals = literals[in_hard].astype(np.int32)
    soft_literals = literals[~in_hard].astype(np.int32)
    weights = all_weights[~is_hard]
    if (total := weights.sum(dtype=object)) >= MAX_TOTAL_WEIGHT:
        reader.fail(f"the sum of all weights must be below 2**62 (got {total:,})")
    # Every model falsifies an empty soft clause.
    is_empty = lengths[~is_hard] == 0
    starts = row_starts(lengths[~is_hard][~is_empty])
    bounds = np.ones(int(is_hard.sum()), np.int64)
    return reader.formula(
        int(np.abs(literals).max(initial=0)),
        AtLeastConstraints(hard_literals, row_starts(lengths[is_hard]), bounds),
        len(all_weights),
        soft=WeightedClauses(soft_literals, starts, weights[~is_empty]),
        base_cost=int(weights[is_empty].sum()),
        has_objective=not is_hard.all(),
    )


def text(formula: LinearFormula) -> Iterator[bytes]:
    """Yield the formula without comments and empty soft clauses, one clause on a line."""
    ends = formula.hard.starts[1:]
    tokens = np.insert(formula.hard.literals, ends, 0)
    yield re.sub(rb"(?m)^(?=[-0-9])", b"h ", clause_lines(tokens))
    for weight, literals in formula.soft_clauses():
        yield " ".join(map(str, (weight, *literals, "0\n"))).encode()

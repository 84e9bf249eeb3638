"""Unit propagation to the fixpoint: implied literals remain as unit clauses.

Satisfied clauses and false literals are removed. Variables keep their numbers and the formula its
models, so header, projection and counts remain valid. The clauses are read alternately forwards and
backwards, so that only the values of the variables are held in memory. The pairs of a group are
never expanded to clauses: the values of its literals determine what remains of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from boardsat.generators.arrays import Tokens, clause_starts, columns, stack, starts_of
from boardsat.generators.blocks import Pairs, Rows
from boardsat.generators.formula import ConstraintClauses, Formula
from boardsat.generators.transforms.spool import Spool

Values = npt.NDArray[np.int8]
"""Value of every literal: 1 if true, -1 if false, 0 if unassigned; negative ones from the end."""

Clauses = Rows | Pairs


class _ConflictError(Exception):
    """Error: a variable is implied to be both true and false."""

    def __init__(self, variable: int) -> None:
        self.variable = variable


def transform(formula: Formula) -> Formula:
    if not formula.variables:
        return formula
    values = _unassigned(formula)
    try:
        remaining = _remaining(formula, values)
        positive = values[1 : formula.variables + 1]
        units = (np.flatnonzero(positive) + 1) * positive[positive != 0]
    except _ConflictError as conflict:
        # Two contradictory units: some programs do not read an empty clause.
        remaining = lambda: iter(())  # noqa: E731
        units = np.array([conflict.variable, -conflict.variable])
    header = replace(
        formula.header, transforms=(*formula.header.transforms, {"transform": "propagate"})
    )
    fresh = formula.variables - formula.num_spec_variables
    sections = (
        _section("unit clauses", 0, lambda: iter([Rows(stack(columns(units)))])),
        _section("other clauses", fresh, remaining),
    )
    return replace(formula, header=header, sections=sections)


def _unassigned(formula: Formula) -> Values:
    return np.zeros(2 * formula.variables + 1, np.int8)


def _section(name: str, fresh: int, chunks: Callable[[], Iterator[Clauses]]) -> ConstraintClauses:
    sizes = [(chunk.clauses, chunk.num_unit_clauses, chunk.literals) for chunk in chunks()]
    clauses, units, literals = np.array(sizes, np.int64).reshape(-1, 3).sum(axis=0).tolist()
    return ConstraintClauses(name, fresh, clauses, units, literals, chunks)


def _remaining(formula: Formula, values: Values) -> Callable[[], Iterator[Clauses]]:
    """Return an iterable of the remaining clauses, in order."""
    try:
        return _fixpoint(_clauses(formula), values)
    except _ConflictError:
        # The variable of the conflict must not depend on how clauses are stored.
        return _fixpoint(map(Rows, formula.arrays()), _unassigned(formula))


def _clauses(formula: Formula) -> Iterator[Clauses]:
    """Yield the chunks of a formula; raise InputError for xor lines."""
    for chunk in formula.chunks():
        if isinstance(chunk, Pairs):
            yield chunk
        else:
            yield from chunk.rows()


def _fixpoint(chunks: Iterable[Clauses], values: Values) -> Callable[[], Iterator[Clauses]]:
    """Read the clauses until no new literal is implied; return the remaining ones, in order."""
    current, is_reversed = _ChunkSpool(), False
    for chunk in chunks:
        current.append(_simplify(chunk, values))
    previous, assigned = 0, int(np.count_nonzero(values))
    while assigned > previous:
        simplified = _ChunkSpool()
        for chunk in reversed(current):
            simplified.append(_simplify(chunk, values))
        current, is_reversed = simplified, not is_reversed
        previous, assigned = assigned, int(np.count_nonzero(values))
    return lambda: reversed(current) if is_reversed else iter(current)


class _ChunkSpool:
    """Spool of chunks, stored as arrays of tokens."""

    def __init__(self) -> None:
        self.spool = Spool()
        self.kinds: list[type[Clauses]] = []

    def append(self, chunk: Clauses) -> None:
        if chunk.num_bytes and chunk.literals:
            self.kinds.append(type(chunk))
            self.spool.append(chunk.tokens if isinstance(chunk, Rows) else _packed(chunk))

    def __iter__(self) -> Iterator[Clauses]:
        return map(_unpacked, self.kinds, self.spool)

    def __reversed__(self) -> Iterator[Clauses]:
        return map(_unpacked, reversed(self.kinds), reversed(self.spool))


def _packed(pairs: Pairs) -> Tokens:
    """Return an array of the number of groups, their sizes and their literals."""
    sizes = pairs.sizes
    return np.concatenate([[len(sizes)], sizes, pairs.group_literals], dtype=np.int32)


def _unpacked(kind: type[Clauses], array: Tokens) -> Clauses:
    if kind is Rows:
        return Rows(array)
    groups = int(array[0])
    return Pairs(array[1 + groups :], starts_of(array[1 : 1 + groups].astype(np.int64)))


def _simplify(chunk: Clauses, values: Values) -> Clauses:
    """Return the clauses under an assignment; extend the assignment by new unit clauses."""
    if isinstance(chunk, Pairs):
        return _simplify_pairs(chunk, values)
    return Rows(_simplify_rows(chunk.tokens, values))


def _simplify_pairs(pairs: Pairs, values: Values) -> Pairs:
    """Remove true literals; if one literal of a group is false, all others must be true."""
    while (value := values[pairs.group_literals]).any():
        literals, sizes = pairs.group_literals, pairs.sizes
        group = np.repeat(np.arange(len(sizes)), sizes)
        false = value == -1
        num_false = np.bincount(group[false], minlength=len(sizes))
        if (num_false > 1).any():
            raise _ConflictError(1)
        implied = num_false[group] == 1
        _assign(literals[implied & ~false], values)
        remains = ~implied & (value == 0)
        counts = np.bincount(group[remains], minlength=len(sizes))
        pairs = Pairs(literals[remains], starts_of(counts))
    return pairs


def _simplify_rows(tokens: Tokens, values: Values) -> Tokens:
    while len(tokens):
        value = values[tokens]
        if value.any():
            starts = clause_starts(tokens)
            clause = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
            satisfied = np.zeros(len(starts) - 1, np.bool_)
            satisfied[clause[value == 1]] = True
            tokens = tokens[(value != -1) & ~satisfied[clause]]
        starts = clause_starts(tokens)
        length = np.diff(starts) - 1
        if (length == 0).any():
            raise _ConflictError(1)
        units = tokens[starts[:-1][length == 1]]
        if not len(units):
            return tokens
        _assign(units, values)
    return tokens


def _assign(literals: Tokens, values: Values) -> None:
    variables, signs = np.abs(literals), np.sign(literals)
    values[variables] = signs
    wrong = np.flatnonzero(values[variables] != signs)
    if len(wrong):
        raise _ConflictError(int(variables[wrong[0]]))
    values[-variables] = -signs

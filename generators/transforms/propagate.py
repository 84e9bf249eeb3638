"""Unit propagation to the end: implied literals stay as unit clauses.

Satisfied clauses go and false literals leave their clauses. Variables keep their numbers and the
formula keeps its models, so header, projection and counts stay right. The clauses pass by in turns,
forwards and backwards, so that only the values of the variables are held in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from boardsat.generators.arrays import Tokens
from boardsat.generators.clauses.chunks import Rows
from boardsat.generators.clauses.patterns import columns, stack
from boardsat.generators.formula import Formula, Section
from boardsat.generators.ragged import clause_starts
from boardsat.generators.transforms.spool import Spool

Values = npt.NDArray[np.int8]
"""For every variable 1 if true, -1 if false, 0 if open."""


class _ConflictError(Exception):
    """A variable must be both true and false."""

    def __init__(self, variable: int) -> None:
        self.variable = variable


def propagate(formula: Formula) -> Formula:
    if not formula.variables:
        return formula
    values: Values = np.zeros(formula.variables + 1, np.int8)
    try:
        left = _to_the_end(formula, values)
        units = np.flatnonzero(values) * values[values != 0]
    except _ConflictError as conflict:
        # Two contradictory units: unlike an empty clause, every program reads them alike.
        left = lambda: iter(())  # noqa: E731
        units = np.array([conflict.variable, -conflict.variable])
    header = replace(
        formula.header, transforms=(*formula.header.transforms, {"transform": "propagate"})
    )
    fresh = formula.variables - formula.named
    sections = (
        _section("unit clauses", 0, lambda: iter([stack(columns(units))])),
        _section("other clauses", fresh, left),
    )
    return replace(formula, header=header, sections=sections)


def _section(name: str, fresh: int, arrays: Callable[[], Iterator[Tokens]]) -> Section:
    rows = [(r.clauses, r.units, r.literals) for r in map(Rows, arrays())]
    clauses, units, literals = np.array(rows, np.int64).reshape(-1, 3).sum(axis=0).tolist()
    return Section(name, fresh, clauses, units, literals, lambda: map(Rows, arrays()))


def _to_the_end(formula: Formula, values: Values) -> Callable[[], Iterator[Tokens]]:
    """Pass over the clauses until nothing new is found; what is left of them, in order."""
    current, turned = Spool(), False
    for tokens in formula.arrays():
        current.append(_simplify(tokens, values))
    before, found = 0, int(np.count_nonzero(values))
    while found > before:
        passing = Spool()
        for tokens in reversed(current):
            passing.append(_simplify(tokens, values))
        current, turned = passing, not turned
        before, found = found, int(np.count_nonzero(values))
    return lambda: reversed(current) if turned else iter(current)


def _simplify(tokens: Tokens, values: Values) -> Tokens:
    """The clauses under the values; new unit clauses go into the values."""
    while len(tokens):
        value = values[np.abs(tokens)] * np.sign(tokens).astype(np.int8)
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


def _assign(units: Tokens, values: Values) -> None:
    values[np.abs(units)] = np.sign(units)
    wrong = np.flatnonzero(values[np.abs(units)] != np.sign(units))
    if len(wrong):
        raise _ConflictError(int(abs(units[wrong[0]])))

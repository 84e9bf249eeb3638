"""Compiled expressions: functions from rows of bound names to columns of values.

Functions and operators work on scalars and on whole columns.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.language.values import Column, Frame, TupleSet, flatten

INTEGER, CONDITION, TEXT = "a number", "a condition", "a text"
"""Kinds of values of an expression, as errors name them."""

ARITHMETIC: dict[str, Callable[[Column, Column], Column]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
ORDER: dict[str, Callable[[Column, Column], Column]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

MAX_BITS = 31
"""Number of bits of the largest integer in a spec."""


def plain(column: Column) -> Column:
    """Convert a NumPy scalar to a Python one, so that large integers stay exact; keep an array."""
    is_scalar = isinstance(column, np.ndarray) and column.ndim == 0
    return column.item() if is_scalar or isinstance(column, np.generic) else column


def opposite(condition: Column) -> Column:
    """Return the negation of a condition, which is a scalar or a column."""
    return not condition if isinstance(condition, bool) else ~condition


def _least(*numbers: Column) -> Column:
    return plain(reduce(np.minimum, numbers))


def _greatest(*numbers: Column) -> Column:
    return plain(reduce(np.maximum, numbers))


def _bit(number: Column, position: Column) -> Column:
    """Return True if the bit at a position is set; a bit at a negative position is not."""
    return (position >= 0) & (number >> np.maximum(position, 0) & 1 != 0)


def _bits(number: Column) -> Column:
    """Return the number of bits that distinguish `number` values: least m with 2**m >= number."""
    return sum(np.asarray(number) > (1 << k) for k in range(MAX_BITS))


def _root(number: Column) -> Column:
    """Return the floor of the square root, which is exact for numbers far below 2**52."""
    return np.sqrt(np.maximum(number, 0)).astype(np.int64)


FUNCTIONS: dict[str, tuple[Callable[..., Column], str, int | None]] = {
    "min": (_least, INTEGER, None),
    "max": (_greatest, INTEGER, None),
    "abs": (abs, INTEGER, 1),
    "bit": (_bit, CONDITION, 2),
    "bits": (_bits, INTEGER, 1),
    "root": (_root, INTEGER, 1),
}
"""Functions of the language: implementation, kind of value, number of arguments (None: any)."""


Run = Callable[[Frame], Column]


class CompiledExpression(NamedTuple):
    """Expression whose names are resolved, ready to be evaluated over rows."""

    kind: str
    """Kind of the values: INTEGER, CONDITION or TEXT."""
    run: Run
    """Function that evaluates the expression for every row."""
    names: frozenset[str] = frozenset()
    """Bound names that the expression depends on; empty for a constant."""
    fallible: bool = False
    """True if evaluation may raise InputError, as an index or a division may.

    Rows that a condition excludes must then be omitted before the evaluation.
    """


def constant(kind: str, constant_value: Column) -> CompiledExpression:
    return CompiledExpression(kind, lambda frame: constant_value)


def combine(
    kind: str, run: Run, operands: Sequence[CompiledExpression], fallible: bool = False
) -> CompiledExpression:
    """Return the expression that `run` evaluates, which depends on the names of all operands.

    It is fallible if `fallible` is true, or if one of the operands is fallible.
    """
    names = frozenset[str]().union(*(operand.names for operand in operands))
    fallible = fallible or any(operand.fallible for operand in operands)
    return CompiledExpression(kind, run, names, fallible)


def logical_not(condition: CompiledExpression) -> CompiledExpression:
    return combine(CONDITION, lambda frame: opposite(condition.run(frame)), [condition])


def short_circuit(
    first: CompiledExpression, second: CompiledExpression, decisive: bool
) -> CompiledExpression:
    """Return `first or second` if True is decisive, `first and second` if False is.

    A fallible second condition is evaluated only for the rows that the first leaves undecided.
    """

    def run(frame: Frame) -> Column:
        holds = first.run(frame)
        if isinstance(holds, bool):
            return decisive if holds == decisive else second.run(frame)
        if not second.fallible:
            return holds | second.run(frame) if decisive else holds & second.run(frame)
        combined: Bools = holds.copy()
        undecided = holds != decisive
        if undecided.any():
            combined[undecided] = second.run(frame.take(undecided))
        return combined

    return combine(CONDITION, run, [first, second])


def select(
    test: CompiledExpression, then: CompiledExpression, otherwise: CompiledExpression
) -> CompiledExpression:
    """Return `then if test else otherwise`, each branch evaluated only for its own rows."""

    def run(frame: Frame) -> Column:
        holds = np.broadcast_to(np.asarray(test.run(frame)), (frame.size,))
        dtype = np.bool_ if then.kind == CONDITION else np.int64
        column: Column = np.empty(frame.size, dtype)
        for branch, rows in ((then, holds), (otherwise, ~holds)):
            if rows.any():
                column[rows] = branch.run(frame.take(rows))
        return column

    return combine(then.kind, run, [test, then, otherwise])


def is_member(
    components: Sequence[CompiledExpression], members: TupleSet, location: str
) -> CompiledExpression:
    """Return the condition that a tuple of numbers is in the set."""
    lows = [int(column.min(initial=0)) for column in members.columns]
    shifted = [column - low for column, low in zip(members.columns, lows, strict=True)]
    keys, shape = flatten(shifted, location)
    keys = np.sort(keys)

    def run(frame: Frame) -> Column:
        key: Ints = np.zeros(frame.size, np.int64)
        contained: Bools = np.full(frame.size, len(keys) > 0)
        for component, low, extent in zip(components, lows, shape, strict=True):
            number = np.asarray(component.run(frame)) - low
            contained &= (number >= 0) & (number < extent)
            key = key * extent + number
        if len(keys):
            contained &= keys[np.minimum(np.searchsorted(keys, key), len(keys) - 1)] == key
        return contained

    return combine(CONDITION, run, components)

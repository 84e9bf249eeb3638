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
"""The kinds of values that an expression can give."""

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

COMPARED = 31
"""The powers of two that `bits` compares a number with."""


def plain(value: Column) -> Column:
    """NumPy scalars as Python's, so that exact integers stay exact."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.item()
    return value


def opposite(value: Column) -> Column:
    return not value if isinstance(value, bool) else ~value


def _least(*numbers: Column) -> Column:
    return plain(reduce(np.minimum, numbers))


def _greatest(*numbers: Column) -> Column:
    return plain(reduce(np.maximum, numbers))


def _bit(number: Column, place: Column) -> Column:
    """Whether the bit at a place is set; there is none at a place below 0."""
    return (place >= 0) & (number >> np.maximum(place, 0) & 1 != 0)


def _bits(number: Column) -> Column:
    """How many bits tell `number` things apart: the least m with 2**m >= number."""
    return sum(np.asarray(number) > (1 << k) for k in range(COMPARED))


def _root(number: Column) -> Column:
    """The whole part of the square root; exact, as numbers stay far below 2**52."""
    return np.sqrt(np.maximum(number, 0)).astype(np.int64)


FUNCTIONS: dict[str, tuple[Callable[..., Column], str, int | None]] = {
    "min": (_least, INTEGER, None),
    "max": (_greatest, INTEGER, None),
    "abs": (abs, INTEGER, 1),
    "bit": (_bit, CONDITION, 2),
    "bits": (_bits, INTEGER, 1),
    "root": (_root, INTEGER, 1),
}
"""How each works, what it gives, and how many arguments it takes (None: one or more)."""


Run = Callable[[Frame], Column]


class CompiledExpression(NamedTuple):
    """Expression whose names are resolved, ready to be evaluated over rows."""

    kind: str
    """Kind of its values: INTEGER, CONDITION or TEXT."""
    run: Run
    """Function that evaluates it for every row."""
    names: frozenset[str] = frozenset()
    """Bound names that it depends on; empty for a constant."""
    fallible: bool = False
    """True if rows that a condition excludes could raise InputError (an index, a division)."""


def constant(kind: str, value: Column) -> CompiledExpression:
    return CompiledExpression(kind, lambda frame: value)


def combine(
    kind: str, run: Run, operands: Sequence[CompiledExpression], fallible: bool = False
) -> CompiledExpression:
    """Return an expression of operands: it depends on their names, and fails if one of them can."""
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
        value = first.run(frame)
        if isinstance(value, bool):
            return decisive if value == decisive else second.run(frame)
        if not second.fallible:
            return value | second.run(frame) if decisive else value & second.run(frame)
        result: Bools = value.copy()
        undecided = value != decisive
        if undecided.any():
            result[undecided] = second.run(frame.take(undecided))
        return result

    return combine(CONDITION, run, [first, second])


def select(
    test: CompiledExpression, then: CompiledExpression, otherwise: CompiledExpression
) -> CompiledExpression:
    """Return `then if test else otherwise`; each is evaluated only for the rows that need it."""

    def run(frame: Frame) -> Column:
        holds = np.broadcast_to(np.asarray(test.run(frame)), (frame.size,))
        dtype = np.bool_ if then.kind == CONDITION else np.int64
        result: Column = np.empty(frame.size, dtype)
        for branch, rows in ((then, holds), (otherwise, ~holds)):
            if rows.any():
                result[rows] = branch.run(frame.take(rows))
        return result

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
        result: Bools = np.full(frame.size, len(keys) > 0)
        for component, low, extent in zip(components, lows, shape, strict=True):
            number = np.asarray(component.run(frame)) - low
            result &= (number >= 0) & (number < extent)
            key = key * extent + number
        if len(keys):
            result &= keys[np.minimum(np.searchsorted(keys, key), len(keys) - 1)] == key
        return result

    return combine(CONDITION, run, components)

"""Compiled expressions: functions from rows of bound names to columns of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.language.functions import CONDITION, opposite
from boardsat.generators.language.values import Column, Frame, TupleSet, flatten

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

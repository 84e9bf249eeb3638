"""Conditions on rows: connectives that skip decided rows, membership in a set, and choices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.language.functions import CONDITION, opposite
from boardsat.generators.language.scope import Data, data_of
from boardsat.generators.language.values import Column, Frame, TupleSet, flatten


def negated(inner: Data) -> Data:
    return data_of(CONDITION, lambda frame: opposite(inner.run(frame)), [inner])


def joined(left: Data, right: Data, settled: bool) -> Data:
    """`or` where True settles it, `and` where False does; the right side runs on the other rows."""

    def run(frame: Frame) -> Column:
        first = left.run(frame)
        if isinstance(first, bool):
            return settled if first == settled else right.run(frame)
        if not right.fallible:
            second = right.run(frame)
            return first | second if settled else first & second
        result: Bools = first.copy()
        rows = first != settled
        if rows.any():
            result[rows] = right.run(frame.take(rows))
        return result

    return data_of(CONDITION, run, [left, right])


def is_member(values: Sequence[Data], members: TupleSet, place: str) -> Data:
    """Whether the tuple of the values is one of the members."""
    lows = [int(column.min(initial=0)) for column in members.columns]
    shifted = [column - low for column, low in zip(members.columns, lows, strict=True)]
    flat, shape = flatten(shifted, place)
    have = np.sort(flat)

    def run(frame: Frame) -> Column:
        ask: Ints = np.zeros(frame.size, np.int64)
        found: Bools = np.full(frame.size, len(have) > 0)
        for value, low, extent in zip(values, lows, shape, strict=True):
            number = np.asarray(value.run(frame)) - low
            found &= (number >= 0) & (number < extent)
            ask = ask * extent + number
        if len(have):
            found &= have[np.minimum(np.searchsorted(have, ask), len(have) - 1)] == ask
        return found

    return data_of(CONDITION, run, values)


def chosen(test: Data, then: Data, otherwise: Data) -> Data:
    """The value of `then` on the rows of the test, of `otherwise` on the others."""

    def run(frame: Frame) -> Column:
        rows_of_test = np.broadcast_to(np.asarray(test.run(frame)), (frame.size,))
        dtype = np.bool_ if then.kind == CONDITION else np.int64
        result: Column = np.empty(frame.size, dtype)
        for part, rows in ((then, rows_of_test), (otherwise, ~rows_of_test)):
            if rows.any():
                result[rows] = part.run(frame.take(rows))
        return result

    return data_of(then.kind, run, [test, then, otherwise])

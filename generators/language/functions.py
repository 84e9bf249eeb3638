"""Functions and operators on numbers and conditions: each works on scalars and on whole columns."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce

import numpy as np

from boardsat.generators.language.values import Column

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

"""Encodings of integers, selected by `--set int=NAME`.

An integer with `size` possible values is encoded by `width(size)` literals x; k is its value minus
the smallest one. Each module has these functions, in which auxiliary variables are numbered from
`fresh` on:

width(size) -> int
    Return the number of literals.

clauses(x, size, fresh) -> tuple of array and int
    Return clauses that leave one assignment of x for each value, and their number of auxiliary
    variables.

at_least(x, size, fresh) -> Defined
    Return a literal of "the value is at least k" for each k from 1 on.

equal(x, size, fresh) -> Defined
    Return a literal of "the value is k" for each k from 0 on.

WEIGHTS : array
    Optional. Weights of x in a linear constraint. Without them the literals of `at_least` are used.

COUNT_PRESERVING : bool
    True if each value has one model.
"""

from __future__ import annotations

from typing import NamedTuple

from boardsat.generators.arrays import Ints, Tokens

DEFAULT = "order"
MEANS = "encoding of integers"


class Defined(NamedTuple):
    """Literals, the clauses that define them, and the number of auxiliary variables."""

    literals: Ints
    tokens: Tokens
    used: int

"""Integers of a formula: members, the values that each can have, and the literals that tell it.

Which literals there are is a matter of their encoding. All others, for "at least k" or for "k", are
numbered once it is known whether any constraint asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens, starts_of, within
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.language.layout import Variable
from boardsat.generators.language.values import Column

AT_LEAST, EQUAL, OWN = "at_least", "equal", "own"
"""What a literal of an integer says; its own are those that it is made of."""


class NoValueError(Exception):
    """A member that its own `if` leaves out, in this row."""

    def __init__(self, row: int) -> None:
        self.row = row


@dataclass
class Integer:
    """A family of integers, whose own literals are numbered from `first`, member after member."""

    name: str
    description: str
    members: Variable
    """Numbered from 1: which member the indices name."""
    low: Ints
    high: Ints
    encoding: str
    first: int
    widths: Ints
    """How many literals each member is made of."""
    weights: Ints | None
    """What each of them adds to the least value; None: sums take those for "at least k"."""
    requested: set[str] = field(default_factory=set)
    tables: dict[str, Tokens] = field(default_factory=dict)
    """By what they say, the literals of all members, one after the other."""

    @property
    def count(self) -> int:
        return int(self.widths.sum())

    @property
    def shape(self) -> tuple[int, ...]:
        return self.members.shape

    @property
    def names(self) -> tuple[str, ...]:
        return self.members.names

    @property
    def min_value(self) -> int:
        return int(self.low.min(initial=MAX_INTEGER))

    @property
    def max_value(self) -> int:
        return int(self.high.max(initial=-MAX_INTEGER))

    @cached_property
    def own_starts(self) -> Ints:
        return starts_of(self.widths)

    def places(self, indices: Sequence[Column], size: int) -> Ints:
        """Which member each row names."""
        found = self.members.ids(indices, size)
        if (found == FALSE).any():
            raise NoValueError(int(np.argmax(found == FALSE)))
        return found - 1

    def starts(self, what: str) -> Ints:
        """Where the literals of each member begin in their table."""
        return self._starts[what]

    @cached_property
    def _starts(self) -> dict[str, Ints]:
        sizes = self.high - self.low
        return {AT_LEAST: starts_of(sizes), EQUAL: starts_of(sizes + 1), OWN: self.own_starts}

    def at_least(self, places: Ints, numbers: Column) -> Tokens:
        """The literals for "no less than a number", of members at these places."""
        above = numbers - self.low[places]
        known = (above <= 0) | (numbers > self.high[places])
        literals = np.where(above <= 0, TRUE, FALSE).astype(np.int32)
        asked = ~known
        table, starts = self.tables[AT_LEAST], self.starts(AT_LEAST)
        literals[asked] = table[starts[places[asked]] + above[asked] - 1]
        return literals

    def equal(self, places: Ints, numbers: Column) -> Tokens:
        """The literals for "this number"."""
        above = numbers - self.low[places]
        literals = np.full(len(places), FALSE, np.int32)
        asked = (above >= 0) & (numbers <= self.high[places])
        table, starts = self.tables[EQUAL], self.starts(EQUAL)
        literals[asked] = table[starts[places[asked]] + above[asked]]
        return literals

    @property
    def summed(self) -> str:
        """Which literals a sum takes."""
        return AT_LEAST if self.weights is None else OWN

    def summands(self, places: Ints) -> tuple[Ints, Tokens, Ints]:
        """Of all rows the literals that count above the least value: the row of each, and what
        it counts; without weights each counts one, and implies the one before."""
        table, starts = self.tables[self.summed], self.starts(self.summed)
        counts = np.diff(starts)[places]
        rows = np.repeat(np.arange(len(places)), counts)
        inside = within(counts)
        literals = table[np.repeat(starts[places], counts) + inside]
        weights = np.ones(len(rows), np.int64) if self.weights is None else self.weights[inside]
        return rows, literals, weights

    def values_of(self, places: Ints) -> tuple[Ints, Ints, Tokens]:
        """Of all rows every value that its member can have: the row, the value, its literal."""
        counts = (self.high - self.low + 1)[places]
        rows = np.repeat(np.arange(len(places)), counts)
        inside = within(counts)
        literals = self.tables[EQUAL][np.repeat(self.starts(EQUAL)[places], counts) + inside]
        return rows, self.low[places][rows] + inside, literals

"""Variables and integers of a formula: names and indices to DIMACS numbers and literals.

A dense variable computes its numbers. A sparse one looks them up: in a table over the box of its
indices where that is small, otherwise by search among its keys (flattened indices).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.generators.arrays import FALSE, TRUE, Bools, Ints, Tokens, starts_of, within
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.language.values import Column

TABLE_CELLS = 2**22
"""Boxes up to this size get a table (16 MB)."""


class OutsideError(Exception):
    """An index outside the sets that the variable was declared over, in this row."""

    def __init__(self, row: int) -> None:
        self.row = row


@dataclass(frozen=True)
class Variable:
    """A family of Boolean variables, numbered from `first` in the order of its declaration."""

    name: str
    description: str
    names: tuple[str, ...]
    """What its indices are called."""
    shape: tuple[int, ...]
    first: int
    count: int
    keys: Ints | None
    """The flat index of every member in order; None where all of the box is there, in order."""
    excluded: Ints | None
    """Flat indices that its own `if` leaves out; None: all of the box that is not a member."""

    @property
    def indices(self) -> tuple[Ints, ...]:
        """Columns of indices, with an entry for every member; empty for a single variable."""
        keys = np.arange(self.count) if self.keys is None else self.keys
        return np.unravel_index(keys, self.shape) if self.shape else ()

    def flatten(self, indices: Sequence[Column], size: int) -> tuple[Ints, Bools | None]:
        """Flat keys, and which rows lie outside the box (None: no row does)."""
        flat: Ints = np.zeros(size, np.int64)
        outside: Bools | None = None
        for index, extent in zip(indices, self.shape, strict=True):
            column = np.asarray(index)
            if column.size and (column.min() < 0 or column.max() >= extent):
                wrong = np.broadcast_to((column < 0) | (column >= extent), (size,))
                outside = wrong if outside is None else outside | wrong
            flat *= extent
            flat += column
        return flat, outside

    def ids(self, indices: Sequence[Column], size: int) -> Ints:
        """The number of each row's member, or FALSE where the declaration's `if` leaves it out."""
        flat, outside = self.flatten(indices, size)
        if outside is not None:
            raise OutsideError(int(np.argmax(outside)))
        if self.keys is None:
            return flat + self.first
        numbers = self._look_up(flat)
        if self._holes:
            unknown = numbers == 0
            if unknown.any():
                raise OutsideError(int(np.argmax(unknown)))
        return numbers

    def exists(self, indices: Sequence[Column], size: int) -> Bools:
        """Which rows name a member; an index out of range names none."""
        flat, outside = self.flatten(indices, size)
        if outside is None:
            return np.ones(size, np.bool_) if self.keys is None else self._look_up(flat) > 0
        found = ~outside
        if self.keys is not None:
            found[found] = self._look_up(flat[found]) > 0
        return found

    @property
    def _holes(self) -> bool:
        """Whether parts of the box were never declared."""
        return self.excluded is not None

    @cached_property
    def _box(self) -> int:
        return int(np.prod(self.shape, dtype=object))

    @cached_property
    def _table(self) -> Tokens | None:
        if self.keys is None or self._box > TABLE_CELLS:
            return None
        table = np.full(self._box, 0 if self._holes else FALSE, np.int32)
        if self.excluded is not None:
            table[self.excluded] = FALSE
        table[self.keys] = np.arange(self.first, self.first + self.count)
        return table

    @cached_property
    def _sorted(self) -> tuple[Ints, Ints]:
        """All declared keys in order, and the number each stands for."""
        assert self.keys is not None
        keys, numbers = self.keys, np.arange(self.first, self.first + self.count)
        if self.excluded is not None:
            keys = np.concatenate([keys, self.excluded])
            numbers = np.concatenate([numbers, np.full(len(self.excluded), FALSE)])
        order = np.argsort(keys, kind="stable")
        return keys[order], numbers[order]

    def _look_up(self, flat: Ints) -> Ints:
        if self._table is not None:
            return self._table[flat].astype(np.int64)
        keys, numbers = self._sorted
        missing = 0 if self._holes else FALSE
        if not len(keys):
            return np.full(len(flat), missing, np.int64)
        place = np.minimum(np.searchsorted(keys, flat), len(keys) - 1)
        found: Ints = np.where(keys[place] == flat, numbers[place], missing)
        return found


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

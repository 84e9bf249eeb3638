"""Variables and integers of a formula: names and indices to DIMACS numbers and literals.

The numbers of a dense variable are computed. Those of a sparse variable are looked up: in a table
over the box of its indices if the box is small, and otherwise by binary search among its keys (flat
indices).

An integer has members too; its encoding determines the literals of each. Further literals, for "at
least k" and for "equal to k", are numbered after all constraints, if one of them requests them.
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
"""Maximum size of a box with a lookup table (16 MB)."""


class OutsideError(Exception):
    """Error: the indices in a row are outside the sets that the variable was declared over."""

    def __init__(self, row: int) -> None:
        self.row = row


@dataclass(frozen=True)
class Variable:
    """Indexed Boolean variable, whose members are numbered from `first` as they are declared."""

    name: str
    description: str
    names: tuple[str, ...]
    """Names of the indices."""
    shape: tuple[int, ...]
    first: int
    count: int
    keys: Ints | None
    """Flat index of every member, in order. None if the members are the whole box in order."""
    excluded: Ints | None
    """Flat indices that the declaration's `if` excludes. None: all but those of members."""

    @property
    def indices(self) -> tuple[Ints, ...]:
        """Columns of indices, with an entry for every member; empty without `for`."""
        keys = np.arange(self.count) if self.keys is None else self.keys
        return np.unravel_index(keys, self.shape) if self.shape else ()

    def flatten(self, indices: Sequence[Column], size: int) -> tuple[Ints, Bools | None]:
        """Return flat keys, and a mask of the rows outside the box (None if there are none)."""
        flat: Ints = np.zeros(size, np.int64)
        outside: Bools | None = None
        for index, extent in zip(indices, self.shape, strict=True):
            column = np.asarray(index)
            if column.size and (column.min() < 0 or column.max() >= extent):
                exceeds = np.broadcast_to((column < 0) | (column >= extent), (size,))
                outside = exceeds if outside is None else outside | exceeds
            flat *= extent
            flat += column
        return flat, outside

    def ids(self, indices: Sequence[Column], size: int) -> Ints:
        """Return the variable of each row; FALSE if the declaration's `if` excludes its indices.

        Raise OutsideError for indices outside the sets of the declaration.
        """
        flat, outside = self.flatten(indices, size)
        if outside is not None:
            raise OutsideError(int(np.argmax(outside)))
        if self.keys is None:
            return flat + self.first
        numbers = self._look_up(flat)
        if self._has_undeclared_keys and (undeclared := numbers == 0).any():
            raise OutsideError(int(np.argmax(undeclared)))
        return numbers

    def exists(self, indices: Sequence[Column], size: int) -> Bools:
        """Return a mask of the rows whose indices are those of a member."""
        flat, outside = self.flatten(indices, size)
        if outside is None:
            return np.ones(size, np.bool_) if self.keys is None else self._look_up(flat) > 0
        is_member = ~outside
        if self.keys is not None:
            is_member[is_member] = self._look_up(flat[is_member]) > 0
        return is_member

    @property
    def _has_undeclared_keys(self) -> bool:
        """True if the sets of the declaration do not fill the box."""
        return self.excluded is not None

    @property
    def _missing(self) -> int:
        """Lookup result of keys that are neither those of members nor in `excluded`.

        It is 0 if such keys are undeclared, and FALSE if the declaration's `if` excludes them.
        """
        return 0 if self._has_undeclared_keys else FALSE

    @cached_property
    def _box(self) -> int:
        return int(np.prod(self.shape, dtype=object))

    @cached_property
    def _table(self) -> Tokens | None:
        if self.keys is None or self._box > TABLE_CELLS:
            return None
        table = np.full(self._box, self._missing, np.int32)
        if self.excluded is not None:
            table[self.excluded] = FALSE
        table[self.keys] = np.arange(self.first, self.first + self.count)
        return table

    @cached_property
    def _sorted(self) -> tuple[Ints, Ints]:
        """All declared keys in order, and the variable (or FALSE) of each."""
        assert self.keys is not None
        keys, numbers = self.keys, np.arange(self.first, self.first + self.count)
        if self.excluded is not None:
            keys = np.concatenate([keys, self.excluded])
            numbers = np.concatenate([numbers, np.full(len(self.excluded), FALSE)])
        order = np.argsort(keys, kind="stable")
        return keys[order], numbers[order]

    def _look_up(self, flat: Ints) -> Ints:
        """Return the variable of each key, FALSE if it is excluded, 0 if it is undeclared."""
        if self._table is not None:
            return self._table[flat].astype(np.int64)
        keys, numbers = self._sorted
        if not len(keys):
            return np.full(len(flat), self._missing, np.int64)
        position = np.minimum(np.searchsorted(keys, flat), len(keys) - 1)
        variables: Ints = np.where(keys[position] == flat, numbers[position], self._missing)
        return variables


AT_LEAST, EQUAL, OWN = "at_least", "equal", "own"
"""Meanings of the literals of an integer: "at least k", "equal to k", or a bit of its encoding."""


class NoValueError(Exception):
    """Error: the declaration's `if` excludes the member in a row, so it has no value."""

    def __init__(self, row: int) -> None:
        self.row = row


@dataclass
class Integer:
    """Indexed integer; the literals of its encoding are numbered from `first`, member by member."""

    name: str
    description: str
    members: Variable
    """Members by their indices; they are numbered from 1, in place of variables."""
    low: Ints
    """Least value of each member."""
    high: Ints
    """Largest value of each member."""
    encoding: str
    """Name of the encoding, a module of generators/encodings/int."""
    first: int
    widths: Ints
    """Number of literals that encode each member."""
    weights: Ints | None
    """Weight of each encoding literal in a sum. None if sums use literals for "at least k"."""
    requested: set[str] = field(default_factory=set)
    """Meanings of literals that constraints use: AT_LEAST, EQUAL."""
    tables: dict[str, Tokens] = field(default_factory=dict)
    """Literals of all members, concatenated, by meaning: AT_LEAST, EQUAL or OWN."""

    @property
    def count(self) -> int:
        """Number of encoding literals of all members."""
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

    def member_numbers(self, indices: Sequence[Column], size: int) -> Ints:
        """Return the number, from 0, of the member in each row."""
        numbers = self.members.ids(indices, size)
        if (numbers == FALSE).any():
            raise NoValueError(int(np.argmax(numbers == FALSE)))
        return numbers - 1

    @cached_property
    def starts(self) -> dict[str, Ints]:
        """Index of the first literal of each member in the array of `tables`, by meaning."""
        sizes = self.high - self.low
        return {
            AT_LEAST: starts_of(sizes),
            EQUAL: starts_of(sizes + 1),
            OWN: starts_of(self.widths),
        }

    def at_least(self, members: Ints, bounds: Column) -> Tokens:
        """Return the literals that are true if the value of each member is at least its bound."""
        offset = bounds - self.low[members]
        literals = np.where(offset <= 0, TRUE, FALSE).astype(np.int32)
        variable = (offset > 0) & (bounds <= self.high[members])
        table, starts = self.tables[AT_LEAST], self.starts[AT_LEAST]
        literals[variable] = table[starts[members[variable]] + offset[variable] - 1]
        return literals

    def equal(self, members: Ints, numbers: Column) -> Tokens:
        """Return the literals that are true if the value of each member is equal to its number."""
        offset = numbers - self.low[members]
        literals = np.full(len(members), FALSE, np.int32)
        variable = (offset >= 0) & (numbers <= self.high[members])
        table, starts = self.tables[EQUAL], self.starts[EQUAL]
        literals[variable] = table[starts[members[variable]] + offset[variable]]
        return literals

    @property
    def summand_kind(self) -> str:
        """Meaning of the literals that linear constraints use."""
        return AT_LEAST if self.weights is None else OWN

    def summands(self, members: Ints) -> tuple[Ints, Tokens, Ints]:
        """Return the row, the literal and the weight of each summand, as three arrays.

        The summands of a row have the sum of its member's value minus the least value. Without
        `weights`, each literal has weight 1 and implies the one before it.
        """
        table, starts = self.tables[self.summand_kind], self.starts[self.summand_kind]
        counts = np.diff(starts)[members]
        rows = np.repeat(np.arange(len(members)), counts)
        offset = within(counts)
        literals = table[np.repeat(starts[members], counts) + offset]
        weights = np.ones(len(rows), np.int64) if self.weights is None else self.weights[offset]
        return rows, literals, weights

    def value_literals(self, members: Ints) -> tuple[Ints, Ints, Tokens]:
        """Return the row, value and literal of each value of each row's member, as three arrays."""
        counts = (self.high - self.low + 1)[members]
        rows = np.repeat(np.arange(len(members)), counts)
        offset = within(counts)
        literals = self.tables[EQUAL][np.repeat(self.starts[EQUAL][members], counts) + offset]
        return rows, self.low[members][rows] + offset, literals

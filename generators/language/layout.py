"""The layout of variables: names and indices to DIMACS numbers.

A dense variable computes its numbers. A sparse one looks them up: in a table over the box of its
indices where that is small, otherwise by search among its keys (flattened indices).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.generators.arrays import FALSE, Bools, Ints, Tokens
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

"""Values of names in a spec (numbers, tables, sets, keyed sets), and tables of bound names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import InputError
from boardsat.generators.arrays import Bools, Ints, distinct, starts_of


@dataclass(frozen=True)
class Table:
    """Table with a number for every index: `d[i]`, `given[r, c]`."""

    values: Ints
    missing: int | None = None
    """Value of missing entries. None if every entry is present."""
    lengths: Ints | None = None
    """Number of entries of each row of a ragged table. None if all rows are equally long."""

    def as_lists(self) -> list[Any]:
        """Return the entries as nested lists, row by row."""
        rows: list[Any] = self.values.tolist()
        if self.lengths is None:
            return rows
        return [row[:length] for row, length in zip(rows, self.lengths.tolist(), strict=True)]


@dataclass(frozen=True)
class TupleSet:
    """Ordered set of numbers or tuples, with an array for each component: `(i, j) in moves`."""

    columns: tuple[Ints, ...]

    @property
    def size(self) -> int:
        return len(self.columns[0])


@dataclass(frozen=True)
class KeyedSet:
    """Family of sets, one for every key: `j in neighbours[i]`. Keys of several indices are flat."""

    shape: tuple[int, ...]
    starts: Ints
    columns: tuple[Ints, ...]

    @staticmethod
    def group(keys: Ints, shape: tuple[int, ...], columns: Sequence[Ints]) -> KeyedSet:
        """Return the rows of `columns` grouped by flat key; the order within a key is kept."""
        order = np.argsort(keys, kind="stable")
        counts = np.bincount(keys, minlength=int(np.prod(shape)))
        return KeyedSet(shape, starts_of(counts), tuple(column[order] for column in columns))

    @staticmethod
    def adjacency(vertices: int, origin: Ints, target: Ints) -> KeyedSet:
        """Return the adjacency lists of a directed graph: sorted targets of the distinct arcs."""
        flat = origin * max(vertices, 1) + target
        # Most graphs list their arcs in this order, and sorting is the slowest step.
        if np.any(flat[1:] <= flat[:-1]):
            origin, target = np.divmod(distinct(flat), max(vertices, 1))
        return KeyedSet((vertices,), starts_of(np.bincount(origin, minlength=vertices)), (target,))


Value = int | bool | str | Table | TupleSet | KeyedSet
Column = Any
"""One value for each row: an array, or a scalar if all rows have the same value."""


@dataclass(frozen=True)
class Frame:
    """Rows of values of bound names, such as those of `for: i in cells, p in range(N)`."""

    size: int
    columns: dict[str, Ints] = field(default_factory=dict)
    """Column of each name; a table with one row for each tuple if the name is bound to tuples."""

    @property
    def width(self) -> int:
        """Number of integers in a row."""
        return sum(1 if column.ndim == 1 else column.shape[1] for column in self.columns.values())

    def take(self, rows: Ints | Bools) -> Frame:
        """Return the rows with these indices, or those that a mask selects."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        size = int(np.count_nonzero(rows)) if rows.dtype == np.bool_ else len(rows)
        return Frame(size, columns)

    def take_slice(self, rows: slice) -> Frame:
        """Return consecutive rows, without copying them."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        return Frame(len(range(*rows.indices(self.size))), columns)

    def bind(self, names: Sequence[str], columns: Sequence[Ints]) -> Frame:
        """Return the frame with further columns."""
        return Frame(self.size, {**self.columns, **dict(zip(names, columns, strict=True))})

    def describe(self, row: int) -> str:
        """Return the values of all names in one row, as text that ends the fault of an error."""
        assignments = [
            f"{name} = {_entry_text(column[row])}"
            for name, column in self.columns.items()
            if not name.startswith("#")
        ]
        return f" where {', '.join(assignments)}" if assignments else ""


def _entry_text(entry: Any) -> str:
    """Return the text of a number or of a tuple of numbers."""
    numbers = np.atleast_1d(entry).tolist()
    return f"({', '.join(map(str, numbers))})" if np.ndim(entry) else str(numbers[0])


def as_tuples(size: int, columns: Sequence[Ints]) -> Ints:
    """Return an array of `size` rows with these columns; there may be no columns."""
    return np.stack(columns, axis=1) if columns else np.zeros((size, 0), np.int64)


def full(value: Column, size: int) -> Ints:
    """Return the column as an array of `size` numbers."""
    if isinstance(value, np.ndarray):
        return value.astype(np.int64, copy=False)
    return np.full(size, int(value), np.int64)


def flatten(indices: Sequence[Ints], location: str) -> tuple[Ints, tuple[int, ...]]:
    """Return flat (row-major) indices, and the shape of the box that the indices span."""
    if (least := min((int(index.min(initial=0)) for index in indices), default=0)) < 0:
        fault = f"indices must be 0 or more (got {least})"
        raise InputError(fault, "add to them so that they start at 0", location)
    shape = tuple(int(index.max(initial=-1)) + 1 for index in indices)
    box = int(np.prod(shape, dtype=object))
    if box > 2**62:
        fault = f"the indices must span at most 2**62 combinations (got {box:,})"
        raise InputError(fault, "use smaller indices", location)
    flat = np.zeros(len(indices[0]), np.int64)
    for index, extent in zip(indices, shape, strict=True):
        flat = flat * extent + index
    return flat, shape


def length_of(value: Value) -> int | None:
    """Return the size of a set or the number of rows of a table; None for any other value."""
    match value:
        case TupleSet(size=size):
            return size
        case Table(values=values):
            return len(values)
    return None


def lengths_of(value: Value) -> Ints | None:
    """Return the sizes of the sets of a keyed set, or of the rows of a table; None otherwise."""
    match value:
        case KeyedSet(shape=shape, starts=starts):
            return np.diff(starts).reshape(shape)
        case Table(values=values, lengths=lengths) if values.ndim > 1:
            return np.full(len(values), values.shape[1]) if lengths is None else lengths
    return None


def kind_of(value: Value) -> str:
    """Return the kind of a value with its article, as errors name it."""
    match value:
        case Table():
            return "a table"
        case TupleSet(columns=columns):
            return "a set" if len(columns) == 1 else f"a set of {len(columns)}-tuples"
        case KeyedSet():
            return "a keyed set"
        case bool():
            return "a condition"
        case int():
            return "a number"
    return "a text"


def use_of(name: str, value: Value) -> str:
    """Return the remedy that shows how a name with such a value is used."""
    match value:
        case Table():
            return f"write `{name}[i]`"
        case TupleSet():
            return f"write `x in {name}` or `len({name})`"
        case KeyedSet():
            return f"write `x in {name}[i]`"
    return f"write `{name}` alone"

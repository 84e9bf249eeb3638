"""Values of names in a spec: numbers, tables, sets, keyed sets; and frames of rows."""

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
    """`d[i]`, `given[r, c]`: a number for every index."""

    values: Ints
    missing: int | None = None
    """The number of an entry that is not there, if some may be missing."""
    lengths: Ints | None = None
    """How many entries each row has, where that differs; the rest of a row is missing."""

    def as_lists(self) -> list[Any]:
        """Return the entries as nested lists, row by row."""
        rows: list[Any] = self.values.tolist()
        if self.lengths is None:
            return rows
        return [row[:length] for row, length in zip(rows, self.lengths.tolist(), strict=True)]


@dataclass(frozen=True)
class TupleSet:
    """`(i, j) in moves`: a set of numbers or of tuples, in a fixed order, one array a component."""

    columns: tuple[Ints, ...]

    @property
    def size(self) -> int:
        return len(self.columns[0])


@dataclass(frozen=True)
class KeyedSet:
    """`j in neighbours[i]`: a set for every key; keys of several components are flattened."""

    shape: tuple[int, ...]
    starts: Ints
    columns: tuple[Ints, ...]

    @staticmethod
    def group(keys: Ints, shape: tuple[int, ...], columns: Sequence[Ints]) -> KeyedSet:
        """The rows of `columns` gathered by their flat key, in their order."""
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
"""One value a row: an array, or a scalar that stands for a column of equal entries."""


@dataclass(frozen=True)
class Frame:
    """Rows of bound names: what `for: i in cells, p in range(N)` runs through."""

    size: int
    columns: dict[str, Ints] = field(default_factory=dict)
    """A number for every row, or a row of a table for a name that stands for a tuple."""

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        return sum(1 if column.ndim == 1 else column.shape[1] for column in self.columns.values())

    def take(self, rows: Ints | Bools) -> Frame:
        taken = {name: column[rows] for name, column in self.columns.items()}
        size = int(np.count_nonzero(rows)) if rows.dtype == np.bool_ else len(rows)
        return Frame(size, taken)

    def part(self, rows: slice) -> Frame:
        """Some rows, one after the other."""
        cut = {name: column[rows] for name, column in self.columns.items()}
        return Frame(len(range(*rows.indices(self.size))), cut)

    def bind(self, names: Sequence[str], columns: Sequence[Ints]) -> Frame:
        return Frame(self.size, {**self.columns, **dict(zip(names, columns, strict=True))})

    def describe(self, row: int) -> str:
        """The names of one row with their values, for an error."""
        named = [
            f"{name} = {_shown(column[row])}"
            for name, column in self.columns.items()
            if not name.startswith("#")
        ]
        return f" where {', '.join(named)}" if named else ""


def _shown(value: Any) -> str:
    """A number, or the numbers of a tuple."""
    numbers = np.atleast_1d(value).tolist()
    return f"({', '.join(map(str, numbers))})" if np.ndim(value) else str(numbers[0])


def as_tuples(size: int, parts: Sequence[Ints]) -> Ints:
    """So many rows of a table, from its columns; a tuple may be empty."""
    return np.stack(parts, axis=1) if parts else np.zeros((size, 0), np.int64)


def full(value: Column, size: int) -> Ints:
    """The column as an array of `size` numbers."""
    if isinstance(value, np.ndarray):
        return value.astype(np.int64, copy=False)
    return np.full(size, int(value), np.int64)


def flatten(indices: Sequence[Ints], place: str) -> tuple[Ints, tuple[int, ...]]:
    """Several indices as one number, and the box that they span."""
    if any(index.min(initial=0) < 0 for index in indices):
        raise InputError("a negative index", "add to it so that indices start at 0", place)
    shape = tuple(int(index.max(initial=-1)) + 1 for index in indices)
    box = int(np.prod(shape, dtype=object))
    if box > 2**62:
        raise InputError(f"indices that span {box:,} values", "use smaller ones", place)
    flat = np.zeros(len(indices[0]), np.int64)
    for index, extent in zip(indices, shape, strict=True):
        flat = flat * extent + index
    return flat, shape


def length_of(value: Value) -> int | None:
    """How many members a set has, or rows a table; None for what has none."""
    match value:
        case TupleSet(size=size):
            return size
        case Table(values=values):
            return len(values)
    return None


def lengths_of(value: Value) -> Ints | None:
    """The same for every key of a keyed set, and every row of a table."""
    match value:
        case KeyedSet(shape=shape, starts=starts):
            return np.diff(starts).reshape(shape)
        case Table(values=values, lengths=lengths) if values.ndim > 1:
            return np.full(len(values), values.shape[1]) if lengths is None else lengths
    return None


def kind_of(value: Value) -> str:
    """What to call the value in an error."""
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
    """How such a value is used, as a remedy."""
    match value:
        case Table():
            return f"write `{name}[i]`"
        case TupleSet():
            return f"write `x in {name}` or `len({name})`"
        case KeyedSet():
            return f"write `x in {name}[i]`"
    return f"write `{name}` alone"

"""Array types, ragged rows, and patterns of clauses, all without a loop over rows.

Ragged rows are rows of different lengths, concatenated in a flat array. A pattern is a small set of
clauses over numbered slots: formulas and encodings are converted to a pattern once, and NumPy
instantiates it for many rows at once.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

# Elementwise work needs one thread, and starting a pool costs more than a small instance.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]
    Tokens = npt.NDArray[np.int32]
    """Clauses as in DIMACS: literals, each clause ended by 0."""

    Words = npt.NDArray[np.uint64]
    """Words of 64 bits: hashes, or up to eight bytes of text, padded with zero bytes."""
else:
    # Only type checkers need the types of entries, whose module takes time to import.
    Ints = Bools = Tokens = Words = np.ndarray

TRUE = 2**31 - 1
FALSE = -TRUE
"""Constant literals, which `clean` removes: they are negated like any other literal."""


def within(counts: Ints) -> Ints:
    """Return the position of every entry in its row: 0, ..., counts[0]-1, 0, ..., counts[1]-1."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) - np.repeat(ends - counts, counts)


def starts_of(counts: Ints) -> Ints:
    """Return the start of each row, and as a last entry the end of the last row."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])


def distinct(numbers: Ints) -> Ints:
    """Return the sorted distinct numbers; np.unique hashes them, which is far slower."""
    ordered = np.sort(numbers)
    is_new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return ordered[is_new]


def take_rows(flat: Tokens, starts: Ints, order: Ints) -> Tokens:
    """Return the rows with these indices, concatenated in the order of the indices."""
    counts = (starts[1:] - starts[:-1])[order]
    rows: Tokens = flat[np.repeat(starts[order], counts) + within(counts)]
    return rows


def put_rows(flat: Tokens, starts: Ints, rows: Tokens) -> None:
    """Write rows of equal length into `flat`, each from its start on."""
    if len(rows) == 1:
        flat[starts[0] : starts[0] + rows.shape[1]] = rows[0]
    elif rows.size == flat.size:
        flat[:] = rows.reshape(-1)
    else:
        _put_runs(flat, starts, rows)


def _put_runs(flat: Tokens, starts: Ints, rows: Tokens) -> None:
    """Write rows of equal length; runs of adjacent rows are copied at once if they are long."""
    width = rows.shape[1]
    gaps = np.flatnonzero(np.diff(starts) != width) + 1
    if len(gaps) > len(rows) // 16:
        flat[starts[:, None] + np.arange(width)] = rows
        return
    bounds = [0, *gaps.tolist(), len(rows)]
    for low, high in pairwise(bounds):
        begin = int(starts[low])
        flat[begin : begin + (high - low) * width] = rows[low:high].reshape(-1)


def join(lists: Sequence[tuple[Tokens, Ints | None]], rows: int) -> Tokens:
    """Return a clause for each row, ended by 0, with the literals of all lists.

    A list consists of its literals and their number in each row (None: one in each row).
    """
    if all(counts is None for _, counts in lists):
        table = np.zeros((rows, len(lists) + 1), np.int32)
        for column, (literals, _) in enumerate(lists):
            table[:, column] = literals
        return table.reshape(-1)
    if rows and (equal := _join_equal_lengths(lists, rows)) is not None:
        return equal.reshape(-1)
    ones = np.ones(rows, np.int64)
    lengths = [ones if counts is None else counts for _, counts in lists]
    starts = starts_of(np.sum(lengths, axis=0) + 1)
    tokens = np.zeros(int(starts[-1]), np.int32)
    offset = starts[:-1].copy()
    for (literals, counts), length in zip(lists, lengths, strict=True):
        if counts is None:
            tokens[offset] = literals
        else:
            tokens[np.repeat(offset, counts) + within(counts)] = literals
        offset += length
    return tokens


def _join_equal_lengths(lists: Sequence[tuple[Tokens, Ints | None]], rows: int) -> Tokens | None:
    """Return the clauses as a table; None if a list has rows of different lengths."""
    widths = [1 if counts is None else len(literals) // rows for literals, counts in lists]
    for (_, counts), width in zip(lists, widths, strict=True):
        if counts is not None and (counts != width).any():
            return None
    table = np.zeros((rows, sum(widths) + 1), np.int32)
    begin = 0
    for (literals, _), width in zip(lists, widths, strict=True):
        table[:, begin : begin + width] = literals.reshape(rows, width)
        begin += width
    return table


def clause_starts(tokens: Tokens) -> Ints:
    """Return the start of each clause, and as a last entry the end of the last clause."""
    return np.concatenate([np.zeros(1, np.int64), np.flatnonzero(tokens == 0) + 1])


def clean(tokens: Tokens) -> Tokens:
    """Remove the clauses with TRUE, and FALSE from the others."""
    is_constant: Bools = (tokens == TRUE) | (tokens == FALSE)
    if not is_constant.any():
        return tokens
    lengths = np.diff(clause_starts(tokens))
    clause = np.repeat(np.arange(len(lengths)), lengths)
    satisfied = np.zeros(len(lengths), np.bool_)
    satisfied[clause[tokens == TRUE]] = True
    return tokens[~is_constant & ~satisfied[clause]]


def in_order(pieces: Sequence[Tokens], owners: Sequence[Ints]) -> Tokens:
    """Return the clauses of several pieces, sorted stably by the rows that own them."""
    if len(pieces) == 1:
        return pieces[0]
    if not pieces:
        return np.zeros(0, np.int32)
    tokens = np.concatenate(pieces)
    order = np.argsort(np.concatenate(owners), kind="stable")
    return take_rows(tokens, clause_starts(tokens), order)


class Pattern(NamedTuple):
    """Clauses over slots.

    Slots 1 to num_inputs are replaced by given literals, the following ones by auxiliary variables.
    """

    num_inputs: int
    num_auxiliary: int
    tokens: Tokens
    """Signed slots; each clause is ended by 0."""

    def instantiate(self, inputs: Tokens | Ints, first: Ints | int) -> Tokens:
        """Return the clauses of each row of `inputs`.

        Parameters
        ----------
        inputs : array
            Literals of each row, one for each input slot.
        first : array or int
            First auxiliary variable of each row.
        """
        slots = self.num_inputs + self.num_auxiliary
        # A negative slot counts from the end, so that literals are looked up as they are.
        table = np.zeros((len(inputs), 1 + 2 * slots), np.int32)
        table[:, 1 : 1 + self.num_inputs] = inputs
        if self.num_auxiliary:
            offsets = np.arange(self.num_auxiliary)
            table[:, 1 + self.num_inputs : 1 + slots] = np.reshape(first, (-1, 1)) + offsets
        np.negative(table[:, slots:0:-1], out=table[:, 1 + slots :])
        return table.take(self.tokens, axis=1).reshape(-1)


def stack(*tables: npt.NDArray[Any]) -> Tokens:
    """Return the rows of all tables as clauses, each ended by 0.

    Examples
    --------
    >>> stack(columns(np.array([1, 2]), 3), columns(np.array([-4]))).tolist()
    [1, 3, 0, 2, 3, 0, -4, 0]
    """
    clauses = []
    for table in tables:
        ended = np.zeros((table.shape[0], table.shape[1] + 1), np.int32)
        ended[:, :-1] = table
        clauses.append(ended.reshape(-1))
    return np.concatenate(clauses) if clauses else np.zeros(0, np.int32)


def columns(*literals: npt.NDArray[Any] | int) -> npt.NDArray[Any]:
    """Return a table with a row for each clause, given its columns of literals.

    A number is a literal that all clauses have.
    """
    return np.stack(np.broadcast_arrays(*literals), axis=-1).reshape(-1, len(literals))

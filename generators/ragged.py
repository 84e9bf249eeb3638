"""Rows of different lengths as flat arrays: joined, ordered, cleaned, with no loop over rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from boardsat.generators.arrays import FALSE, TRUE, Bools, Ints, Tokens


def within(counts: Ints) -> Ints:
    """0, 1, ... counts[0]-1, 0, 1, ... counts[1]-1, ..."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) - np.repeat(ends - counts, counts)


def starts_of(counts: Ints) -> Ints:
    """Where each row begins, and as a last entry where all end."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])


def distinct(numbers: Ints) -> Ints:
    """The numbers in ascending order, each once; np.unique hashes them, which is far slower."""
    ordered = np.sort(numbers)
    is_new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return ordered[is_new]


def take_rows(flat: Tokens, starts: Ints, order: Ints) -> Tokens:
    """The rows in another order."""
    counts = (starts[1:] - starts[:-1])[order]
    taken: Tokens = flat[np.repeat(starts[order], counts) + within(counts)]
    return taken


def put_rows(flat: Tokens, starts: Ints, rows: Tokens) -> None:
    """Write rows of one length to where each of them begins."""
    if len(rows) == 1:
        flat[starts[0] : starts[0] + rows.shape[1]] = rows[0]
    elif rows.size == flat.size:
        flat[:] = rows.reshape(-1)
    else:
        _put_stretches(flat, starts, rows)


def _put_stretches(flat: Tokens, starts: Ints, rows: Tokens) -> None:
    """Rows that follow each other are copied as one, where they mostly do."""
    width = rows.shape[1]
    turns = np.flatnonzero(np.diff(starts) != width) + 1
    if len(turns) > len(rows) // 16:
        flat[starts[:, None] + np.arange(width)] = rows
        return
    bounds = [0, *turns.tolist(), len(rows)]
    for low, high in pairwise(bounds):
        begin = int(starts[low])
        flat[begin : begin + (high - low) * width] = rows[low:high].reshape(-1)


def join(parts: Sequence[tuple[Tokens, Ints | None]], rows: int) -> Tokens:
    """Clauses made of parts side by side, row by row, each ended by 0.

    A part is its literals and how many of them belong to each row (None: one to each).
    """
    if all(counts is None for _, counts in parts):
        table = np.zeros((rows, len(parts) + 1), np.int32)
        for place, (literals, _) in enumerate(parts):
            table[:, place] = literals
        return table.reshape(-1)
    if rows and (even := _of_equal_lengths(parts, rows)) is not None:
        return even.reshape(-1)
    ones = np.ones(rows, np.int64)
    lengths = [ones if counts is None else counts for _, counts in parts]
    starts = starts_of(np.sum(lengths, axis=0) + 1)
    tokens = np.zeros(int(starts[-1]), np.int32)
    offset = starts[:-1].copy()
    for (literals, counts), length in zip(parts, lengths, strict=True):
        if counts is None:
            tokens[offset] = literals
        else:
            tokens[np.repeat(offset, counts) + within(counts)] = literals
        offset += length
    return tokens


def _of_equal_lengths(parts: Sequence[tuple[Tokens, Ints | None]], rows: int) -> Tokens | None:
    """The same as a table with a row a clause, where every part is as long in all of them."""
    widths = [1 if counts is None else len(literals) // rows for literals, counts in parts]
    for (_, counts), width in zip(parts, widths, strict=True):
        if counts is not None and (counts != width).any():
            return None
    table = np.zeros((rows, sum(widths) + 1), np.int32)
    begin = 0
    for (literals, _), width in zip(parts, widths, strict=True):
        table[:, begin : begin + width] = literals.reshape(rows, width)
        begin += width
    return table


def clause_starts(tokens: Tokens) -> Ints:
    """Where each clause begins, and as a last entry the end of them all."""
    return np.concatenate([np.zeros(1, np.int64), np.flatnonzero(tokens == 0) + 1])


def clean(tokens: Tokens) -> Tokens:
    """Drop the clauses that hold TRUE, and FALSE from the others."""
    known: Bools = (tokens == TRUE) | (tokens == FALSE)
    if not known.any():
        return tokens
    lengths = np.diff(clause_starts(tokens))
    clause = np.repeat(np.arange(len(lengths)), lengths)
    satisfied = np.zeros(len(lengths), np.bool_)
    satisfied[clause[tokens == TRUE]] = True
    return tokens[~known & ~satisfied[clause]]


def in_order(pieces: Sequence[Tokens], owners: Sequence[Ints]) -> Tokens:
    """Clauses from several pieces, sorted by the row that owns each, otherwise as they stand."""
    if len(pieces) == 1:
        return pieces[0]
    if not pieces:
        return np.zeros(0, np.int32)
    tokens = np.concatenate(pieces)
    order = np.argsort(np.concatenate(owners), kind="stable")
    return take_rows(tokens, clause_starts(tokens), order)

"""Random samples without replacement: subsets, clauses, equations and numbers, as distinct rows.

Sparse ones are drawn in rounds, until no two rows are equal.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.language.combinations import CHOICES
from boardsat.generators.language.values import Table
from boardsat.generators.randomness.splitmix64 import Stream

DENSE_FACTOR = 2
"""Up to this many times the rows drawn, all possible rows are permuted instead."""

NUMBER_BYTES = 64
"""Memory for each number of a row while it is drawn."""


def check_memory(rows: int, columns: int) -> None:
    """Raise LimitError if distinct rows of this size do not fit in memory."""
    checkpoint(DENSE_FACTOR * rows * (columns + 1) * NUMBER_BYTES)


def count_subsets(n: int, k: int) -> int:
    """Return the number of subsets of k of n numbers, or a bound that is too large anyway."""
    return int(CHOICES["subsets"].count(np.array([n]), k)[0])


def check_subsets(n: int, k: int) -> None:
    if not 0 <= n <= MAX_INTEGER:
        raise InputError(f"numbers below {n}", f"the range is 0 to {MAX_INTEGER}")
    if not 0 <= k <= n:
        raise InputError(f"a subset of {k} of {pluralize(n, 'number')}", f"the range is 0 to {n}")


def subset_rows(stream: Stream, n: int, k: int, rows: int) -> Ints:
    """Draw sorted subsets of k numbers below n, equally likely; equal rows may occur.

    Column by column (Floyd, CACM 1987): the next number is drawn from those below n - k + 1, then
    n - k + 2, and so on up to n; if the row has it already, the largest of them replaces it.
    """
    subsets = np.empty((rows, k), np.int64)
    for column, largest in enumerate(range(n - k, n)):
        drawn = stream.below(largest + 1, rows)
        is_repeated = (subsets[:, :column] == drawn[:, None]).any(axis=1)
        subsets[:, column] = np.where(is_repeated, largest, drawn)
    return np.sort(subsets, axis=1)


def distinct_subsets(stream: Stream, n: int, k: int, rows: int) -> Ints:
    """Draw distinct sorted subsets of k numbers below n."""
    return _distinct_pairs(stream, (n, k, rows), "subset", 1, lambda number: 0)[:, :k]


def distinct_clauses(stream: Stream, n: int, k: int, rows: int, planted: bool = False) -> Ints:
    """Draw distinct rows of k variables, and their signs as the bits of the last column.

    The signs of a planted clause are not 0: at least one literal agrees with the assignment.
    """

    def draw_signs(number: int) -> Ints:
        if planted:
            return stream.below(2**k - 1, number)
        return (stream.words(number) & np.uint64((1 << k) - 1)).astype(np.int64)

    clauses = _distinct_pairs(stream, (n, k, rows), "clause", 2**k - planted, draw_signs)
    clauses[:, k] += planted
    return clauses


def distinct_equations(stream: Stream, n: int, k: int, rows: int) -> Ints:
    """Draw distinct rows of k variables, and their sum modulo 2 as the last column."""
    return _distinct_pairs(
        stream, (n, k, rows), "equation", 2, lambda number: stream.below(2, number)
    )


def _distinct_pairs(
    stream: Stream,
    size: tuple[int, int, int],
    noun: str,
    limit: int,
    draw_labels: Callable[[int], Ints | int],
) -> Ints:
    """Draw distinct pairs of a subset and a label below `limit`, the last column.

    `size` is n, k and the number of rows; `draw_labels` draws that many labels.
    """
    n, k, rows = size
    total = count_subsets(n, k) * limit
    if rows > total:
        raise InputError(f"{pluralize(rows, noun)} of {k} of {n}", f"there are {total:,}")
    if total <= DENSE_FACTOR * rows:
        ranks = stream.order(total)[:rows]
        return np.column_stack([subsets_at(n, k, ranks // limit), ranks % limit])

    def draw(number: int) -> Ints:
        pairs = np.empty((number, k + 1), np.int64)
        pairs[:, :k] = subset_rows(stream, n, k, number)
        pairs[:, k] = draw_labels(number)
        return pairs

    return _distinct(draw, rows)


def distinct_numbers(stream: Stream, limit: int, number: int) -> Ints:
    """Draw distinct numbers below a limit, in random order."""
    if number > limit:
        raise InputError(f"{number:,} different ones of {limit:,}", f"the most is {limit:,}")
    if limit <= DENSE_FACTOR * number:
        return stream.order(limit)[:number]
    return _distinct(lambda count: stream.below(limit, count)[:, None], number)[:, 0]


def subsets_at(n: int, k: int, ranks: Ints) -> Ints:
    """Return the subsets with these ranks, in the order of `subsets`."""
    if not k:
        return np.zeros((len(ranks), 0), np.int64)
    return np.stack(CHOICES["subsets"].at(k, np.array([n]), ranks), axis=1)


def _distinct(draw: Callable[[int], Ints], rows: int) -> Ints:
    """Draw rows, and replace repeated ones, until all are distinct."""
    drawn = draw(rows)
    while (is_first := _is_first(drawn)).sum() < rows:
        drawn = drawn[is_first]
        drawn = np.concatenate([drawn, draw(rows - len(drawn))])
    return drawn


def _is_first(rows: Ints) -> Bools:
    """Return True for the first of equal rows."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    is_first = np.ones(len(rows), np.bool_)
    is_first[order[1:]] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return is_first


def hidden_bits(planted: Table, n: int) -> Ints:
    """Return the bits of an assignment to n variables that random constraints shall satisfy."""
    if not isinstance(planted, Table):
        raise InputError("an assignment that is no table", "name a table of 0 and 1")
    bits = planted.values
    if bits.shape != (n,):
        fault = f"an assignment of {pluralize(bits.size, 'number')} to {pluralize(n, 'variable')}"
        raise InputError(fault, "give one for each")
    if len(bits) and not 0 <= bits.min() <= bits.max() <= 1:
        raise InputError("an assignment of other numbers than 0 and 1", "give 0 or 1 for each")
    return bits

"""Random samples without replacement: distinct subsets, clauses, equations and numbers.

If only a few of the possible rows are drawn, repeated rows are drawn again until all are distinct
(rejection).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from boardsat.base.errors import InputError, check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.language.combinations import CHOICES
from boardsat.generators.language.values import Table
from boardsat.generators.randomness.splitmix64 import Stream

# Up to this many times the rows drawn, all possible rows are permuted, and the first ones selected.
DENSE_FACTOR = 2

NUMBER_BYTES = 64  # memory for each number of a row while it is drawn


def check_memory(rows: int, columns: int) -> None:
    """Raise LimitError if distinct rows of this size do not fit in memory."""
    checkpoint(DENSE_FACTOR * rows * (columns + 1) * NUMBER_BYTES)


def count_subsets(n: int, k: int) -> int:
    """Return the number of subsets of k of n numbers, or a lower bound if it is huge."""
    return int(CHOICES["subsets"].count(np.array([n]), k)[0])


def check_subsets(n: int, k: int) -> None:
    """Raise InputError if there is no subset of k of n numbers, or n is too large."""
    check_range("n", n, 0, MAX_INTEGER)
    check_range("k", k, 0, n, f"for n = {n}")


def subset_rows(stream: Stream, n: int, k: int, rows: int) -> Ints:
    """Draw sorted subsets of k numbers below n, equally likely; equal rows may occur.

    Column by column (Floyd, CACM 1987): the next number is drawn from those below n - k + 1, then
    n - k + 2, and so on up to n; if the row has it already, the largest of them replaces it.
    """
    subsets = np.empty((rows, k), np.int64)
    for column, largest in enumerate(range(n - k, n)):
        numbers = stream.below(largest + 1, rows)
        is_repeated = (subsets[:, :column] == numbers[:, None]).any(axis=1)
        subsets[:, column] = np.where(is_repeated, largest, numbers)
    return np.sort(subsets, axis=1)


def distinct_subsets(stream: Stream, n: int, k: int, rows: int) -> Ints:
    """Draw distinct sorted subsets of k numbers below n."""
    return _distinct_pairs(stream, (n, k, rows), 1, lambda count: 0)[:, :k]


def distinct_clauses(stream: Stream, n: int, k: int, rows: int, planted: bool = False) -> Ints:
    """Draw distinct rows of k variables, and their signs as the bits of the last column.

    The signs of a planted clause are not 0: at least one literal agrees with the assignment.
    """

    def draw_signs(count: int) -> Ints:
        if planted:
            return stream.below(2**k - 1, count)
        return (stream.words(count) & np.uint64((1 << k) - 1)).astype(np.int64)

    clauses = _distinct_pairs(stream, (n, k, rows), 2**k - planted, draw_signs)
    clauses[:, k] += planted
    return clauses


def distinct_equations(stream: Stream, n: int, k: int, rows: int) -> Ints:
    """Draw distinct rows of k variables, and their sum modulo 2 as the last column."""
    return _distinct_pairs(stream, (n, k, rows), 2, lambda count: stream.below(2, count))


def _distinct_pairs(
    stream: Stream,
    size: tuple[int, int, int],
    limit: int,
    draw_labels: Callable[[int], Ints | int],
) -> Ints:
    """Draw distinct pairs of a subset and a label below `limit`, the last column.

    `size` is n, k and the number of rows; `draw_labels` draws that many labels.
    """
    n, k, rows = size
    total = count_subsets(n, k) * limit
    check_range("m", rows, 0, total, f"for n = {n} and k = {k}")
    if total <= DENSE_FACTOR * rows:
        ranks = stream.order(total)[:rows]
        return np.column_stack([subsets_at(n, k, ranks // limit), ranks % limit])

    def draw(count: int) -> Ints:
        pairs = np.empty((count, k + 1), np.int64)
        pairs[:, :k] = subset_rows(stream, n, k, count)
        pairs[:, k] = draw_labels(count)
        return pairs

    return _distinct(draw, rows)


def distinct_numbers(stream: Stream, limit: int, count: int) -> Ints:
    """Draw distinct numbers below a limit, which is at least `count`, in random order."""
    if limit <= DENSE_FACTOR * count:
        return stream.order(limit)[:count]
    return _distinct(lambda rows: stream.below(limit, rows)[:, None], count)[:, 0]


def subsets_at(n: int, k: int, ranks: Ints) -> Ints:
    """Return the subsets with these ranks in lexicographic order."""
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
    """Return a mask of the rows that do not equal an earlier row."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    is_first = np.ones(len(rows), np.bool_)
    is_first[order[1:]] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return is_first


def hidden_bits(planted: Table, n: int) -> Ints:
    """Return the bits of the assignment to n variables that random constraints must satisfy."""
    if not isinstance(planted, Table):
        fault = f"the assignment must be a table (got {planted})"
        raise InputError(fault, "name a table of 0 and 1")
    bits = planted.values
    if bits.shape != (n,):
        fault = f"the assignment must have length n = {n} (got {bits.size})"
        raise InputError(fault, f"try random_numbers({n}, 2, seed)")
    if len(bits) and not 0 <= bits.min() <= bits.max() <= 1:
        wrong = bits[(bits < 0) | (bits > 1)][0]
        fault = f"each entry of the assignment must be 0 or 1 (got {wrong})"
        raise InputError(fault, f"try random_numbers({n}, 2, seed)")
    return bits

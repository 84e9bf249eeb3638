"""Random subsets and clauses, drawn as rows of numbers; distinct ones are drawn in rounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.language.combinations import CHOICES
from boardsat.generators.limits import LARGEST_INTEGER
from boardsat.generators.randomness.stream import Stream

DENSE = 2
"""Where there are at most so many times as many as are wanted, all of them are put in an order."""

NUMBER = 64
"""Bytes that a number of a row takes until it is there."""


def afford(rows: int, columns: int) -> None:
    """What drawing so many distinct rows takes: mostly the ordering."""
    size = DENSE * rows * (columns + 1)
    checkpoint(size * NUMBER)


def how_many(n: int, k: int) -> int:
    """Subsets of k of n numbers, exactly or a number that is too large anyway."""
    return int(CHOICES["subsets"].count(np.array([n]), k)[0])


def check_subsets(n: int, k: int) -> None:
    if not 0 <= n <= LARGEST_INTEGER:
        raise InputError(f"numbers below {n}", f"the range is 0 to {LARGEST_INTEGER}")
    if not 0 <= k <= n:
        raise InputError(f"a subset of {k} of {pluralize(n, 'number')}", f"the range is 0 to {n}")


def subset_rows(stream: Stream, n: int, k: int, rows: int) -> Ints:
    """Subsets of k numbers below n, in ascending order, equally likely; equal rows may occur.

    Column by column (Floyd, CACM 1987): the next number is drawn from those below n - k + 1, then
    n - k + 2, and so on up to n; if it is there already, the largest of them is taken instead.
    """
    chosen = np.empty((rows, k), np.int64)
    for place, largest in enumerate(range(n - k, n)):
        drawn = stream.below(largest + 1, rows)
        there = (chosen[:, :place] == drawn[:, None]).any(axis=1)
        chosen[:, place] = np.where(there, largest, drawn)
    return np.sort(chosen, axis=1)


def distinct_subsets(stream: Stream, n: int, k: int, rows: int) -> Ints:
    """The same, no two of them equal."""
    total = how_many(n, k)
    if rows > total:
        raise InputError(f"{pluralize(rows, 'subset')} of {k} of {n}", f"there are {total:,}")
    if total <= DENSE * rows:
        return subsets_at(n, k, stream.order(total)[:rows])
    return _distinct(lambda number: subset_rows(stream, n, k, number), rows)


def distinct_clauses(stream: Stream, n: int, k: int, rows: int, planted: bool = False) -> Ints:
    """Subsets of k variables, and as a last column their signs, bit by bit; no two rows equal.

    Of planted ones some bit is set: so many fewer signs there are, and they count from 1.
    """
    least = int(planted)
    ways = 2**k - least
    total = how_many(n, k) * ways
    if rows > total:
        raise InputError(f"{pluralize(rows, 'clause')} of {k} of {n}", f"there are {total:,}")
    if total <= DENSE * rows:
        ranks = stream.order(total)[:rows]
        return np.column_stack([subsets_at(n, k, ranks // ways), ranks % ways + least])

    def draw(number: int) -> Ints:
        subsets = subset_rows(stream, n, k, number)
        if planted:
            return np.column_stack([subsets, stream.below(ways, number) + least])
        signs = stream.words(number) & np.uint64((1 << k) - 1)
        return np.column_stack([subsets, signs.astype(np.int64)])

    return _distinct(draw, rows)


def distinct_equations(stream: Stream, n: int, k: int, rows: int) -> Ints:
    """Subsets of k variables, and as a last column their sum modulo 2; no two rows equal."""
    total = 2 * how_many(n, k)
    if rows > total:
        raise InputError(f"{pluralize(rows, 'equation')} of {k} of {n}", f"there are {total:,}")
    if total <= DENSE * rows:
        ranks = stream.order(total)[:rows]
        return np.column_stack([subsets_at(n, k, ranks // 2), ranks % 2])

    def draw(number: int) -> Ints:
        subsets = subset_rows(stream, n, k, number)
        return np.column_stack([subsets, stream.below(2, number)])

    return _distinct(draw, rows)


def distinct_numbers(stream: Stream, limit: int, number: int) -> Ints:
    """Different numbers below a limit, in the order in which they were drawn."""
    if number > limit:
        raise InputError(f"{number:,} different ones of {limit:,}", f"the most is {limit:,}")
    if limit <= DENSE * number:
        return stream.order(limit)[:number]
    return _distinct(lambda count: stream.below(limit, count)[:, None], number)[:, 0]


def subsets_at(n: int, k: int, ranks: Ints) -> Ints:
    """The subsets at these places of the list of all, in the order of `subsets`."""
    if not k:
        return np.zeros((len(ranks), 0), np.int64)
    return np.stack(CHOICES["subsets"].at(k, np.array([n]), ranks), axis=1)


def _distinct(draw: Callable[[int], Ints], rows: int) -> Ints:
    """As many as are missing are drawn, and those that are new stay, until none is missing."""
    found = draw(rows)
    while (new := _first_of_each(found)).sum() < rows:
        found = found[new]
        found = np.concatenate([found, draw(rows - len(found))])
    return found


def _first_of_each(rows: Ints) -> Bools:
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    new = np.ones(len(rows), np.bool_)
    new[order[1:]] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return new

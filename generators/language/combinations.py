"""Subsets, permutations and tuples of indices: counting, and unranking (from position to choice).

Choices are in the order of itertools, which is lexicographic. Unranking computes a choice from its
position alone, so that choices are made one chunk at a time.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.generators.arrays import Ints

MAX_COUNT = 2**47
"""Maximum of all counts, so that the counts of a chunk of rows can be added without overflow."""


@dataclass(frozen=True)
class Choices:
    """Functions to count and to unrank choices of one kind, such as subsets, of k of n indices."""

    count: Callable[[Ints, int], Ints]
    """Function that returns the number of choices for each n, at most MAX_COUNT."""
    at: Callable[[int, Ints, Ints], list[Ints]]
    """Function from k, n and positions to the choices at the positions: k columns of indices."""


def _count_subsets(n: Ints, k: int) -> Ints:
    smaller_size = np.minimum(k, np.maximum(n - k, 0))
    counts = np.where(n < k, 0, 1)
    for chosen in range(int(smaller_size.max(initial=0))):
        product = _saturating_product(counts, n - chosen) // (chosen + 1)
        counts = np.where((chosen < smaller_size) & (counts < MAX_COUNT), product, counts)
    return np.minimum(counts, MAX_COUNT)


def _count_permutations(n: Ints, k: int) -> Ints:
    counts = np.where(n < k, 0, 1)
    for chosen in range(k):
        counts = np.minimum(_saturating_product(counts, np.maximum(n - chosen, 0)), MAX_COUNT)
    return counts


def _count_tuples(n: Ints, k: int) -> Ints:
    return products(np.stack([n] * k, axis=1) if k else np.zeros((len(n), 0), np.int64))


def _saturating_product(factor: Ints, count: Ints) -> Ints:
    """Return the products; one that exceeds an int64 becomes a number above MAX_COUNT."""
    product: Ints = np.minimum(factor, 2**62 // np.maximum(count, 1)) * count
    return product


def _subset_at(k: int, n: Ints, position: Ints) -> list[Ints]:
    """Unrank subsets by the combinatorial number system, counted from the last subset."""
    if k == 1:
        return [position]
    binomials = _binomials(int(n.max(initial=0)), k)
    rank = _count_subsets(n, k) - 1 - position
    columns = []
    for size in range(k, 0, -1):
        # The largest number that has at most `rank` subsets of this size.
        number = np.searchsorted(binomials[size], rank, side="right") - 1
        rank = rank - binomials[size][number]
        columns.append(n - 1 - number)
    return columns


def _binomials(max_n: int, k: int) -> list[Ints]:
    """Return rows of Pascal's triangle: entry [size][n] is n choose size, at most MAX_COUNT."""
    rows = [np.ones(max_n + 1, np.int64)]
    for _ in range(k):
        sums = np.cumsum(rows[-1][:-1])
        rows.append(np.minimum(np.concatenate([np.zeros(1, np.int64), sums]), MAX_COUNT))
    return rows


def _permutation_at(k: int, n: Ints, position: Ints) -> list[Ints]:
    """Unrank permutations: a digit is the index of the next choice among the remaining ones."""
    columns: list[Ints] = []
    for chosen in range(k - 1, -1, -1):
        position, digit = np.divmod(position, n - chosen)
        columns = [digit, *(column + (column >= digit) for column in columns)]
    return columns


def _tuple_at(k: int, n: Ints, position: Ints) -> list[Ints]:
    """Unrank tuples: the digits of the position in base n."""
    columns: list[Ints] = []
    for _ in range(k):
        position, digit = np.divmod(position, n)
        columns.insert(0, digit)
    return columns


def products(sizes: Ints) -> Ints:
    """Return the size of the Cartesian product for every row of sizes, at most MAX_COUNT."""
    counts = np.ones(len(sizes), np.int64)
    for size in sizes.T:
        counts = np.minimum(_saturating_product(counts, size), MAX_COUNT)
    return counts


def mixed_digits(sizes: Ints, position: Ints) -> Ints:
    """Return the mixed-radix digits of each position.

    The radices of a position are its row of `sizes`; the last digit varies fastest.
    """
    digits = np.empty_like(sizes)
    for column in range(sizes.shape[1] - 1, -1, -1):
        position, digits[:, column] = np.divmod(position, sizes[:, column])
    return digits


CHOICES = {
    "subsets": Choices(_count_subsets, _subset_at),
    "permutations": Choices(_count_permutations, _permutation_at),
    "tuples": Choices(_count_tuples, _tuple_at),
}

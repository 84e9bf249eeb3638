"""Subsets, permutations and tuples of places: how many there are, and those at given positions.

All are in the order of itertools: by their first member, then by their second, and so on. From a
position its choice is worked out directly, so that they are made a chunk at a time.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.generators.arrays import Ints

TOO_MANY = 2**47
"""Stands for all numbers beyond it: a chunk of rows with so many choices each can be added up."""


@dataclass(frozen=True)
class Choices:
    """A way to choose k of n places."""

    count: Callable[[Ints, int], Ints]
    """How many choices there are, for each n."""
    at: Callable[[int, Ints, Ints], list[Ints]]
    """The k places of the choices at some positions, for each n, or for the only one."""


def _subsets(n: Ints, k: int) -> Ints:
    fewest = np.minimum(k, np.maximum(n - k, 0))
    ways = np.where(n < k, 0, 1)
    for chosen in range(int(fewest.max(initial=0))):
        more = _times(ways, n - chosen) // (chosen + 1)
        ways = np.where((chosen < fewest) & (ways < TOO_MANY), more, ways)
    return np.minimum(ways, TOO_MANY)


def _permutations(n: Ints, k: int) -> Ints:
    ways = np.where(n < k, 0, 1)
    for chosen in range(k):
        ways = np.minimum(_times(ways, np.maximum(n - chosen, 0)), TOO_MANY)
    return ways


def _tuples(n: Ints, k: int) -> Ints:
    ways = np.ones(len(n), np.int64)
    for _ in range(k):
        ways = np.minimum(_times(ways, n), TOO_MANY)
    return ways


def _times(left: Ints, right: Ints) -> Ints:
    """The product, where an int64 holds it; otherwise a number that is too large in any case."""
    fits = left <= 2**62 // np.maximum(right, 1)
    product: Ints = np.where(fits, left, 2**62 // np.maximum(right, 1)) * right
    return product


def _subset_at(k: int, n: Ints, position: Ints) -> list[Ints]:
    """Counted from the last subset, a position is a sum of binomials of falling numbers."""
    if k == 1:
        return [position]
    below = _binomials(int(n.max(initial=0)), k)
    rest = _subsets(n, k) - 1 - position
    places = []
    for left in range(k, 0, -1):
        # The largest number of which there are no more subsets of that size.
        number = np.searchsorted(below[left], rest, side="right") - 1
        rest = rest - below[left][number]
        places.append(n - 1 - number)
    return places


def _binomials(most: int, k: int) -> list[Ints]:
    """For every size up to k, how many subsets of it each number up to the most has."""
    sizes = [np.ones(most + 1, np.int64)]
    for _ in range(k):
        added = np.cumsum(sizes[-1][:-1])
        sizes.append(np.minimum(np.concatenate([np.zeros(1, np.int64), added]), TOO_MANY))
    return sizes


def _permutation_at(k: int, n: Ints, position: Ints) -> list[Ints]:
    """A digit tells which of the places that are left comes next."""
    places: list[Ints] = []
    for chosen in range(k - 1, -1, -1):
        position, digit = np.divmod(position, n - chosen)
        places = [digit, *(place + (place >= digit) for place in places)]
    return places


def _tuple_at(k: int, n: Ints, position: Ints) -> list[Ints]:
    places: list[Ints] = []
    for _ in range(k):
        position, digit = np.divmod(position, n)
        places.insert(0, digit)
    return places


def products(sizes: Ints) -> Ints:
    """How many ways there are to choose one of each, for every row of sizes."""
    ways = np.ones(len(sizes), np.int64)
    for size in sizes.T:
        ways = np.minimum(_times(ways, size), TOO_MANY)
    return ways


def mixed_digits(sizes: Ints, position: Ints) -> Ints:
    """The places that a position stands for, for every row of sizes; the last changes first."""
    places = np.empty_like(sizes)
    for column in range(sizes.shape[1] - 1, -1, -1):
        position, places[:, column] = np.divmod(position, sizes[:, column])
    return places


CHOICES = {
    "subsets": Choices(_subsets, _subset_at),
    "permutations": Choices(_permutations, _permutation_at),
    "tuples": Choices(_tuples, _tuple_at),
}

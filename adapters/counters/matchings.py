"""Matchings of path ends, numbered, and the effect of linking two vertices.

Ends are known by their positions only, so these tables serve every graph and every pattern.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from boardsat.base.errors import SolverError

Ints = NDArray[np.int64]

MAX_ENDS = 16  # four bits each in a word; there are two million matchings of 16 ends


@cache
def matchings(ends: int) -> NDArray[np.uint8]:
    """The mates of all positions in every matching of so many ends, in lexical order."""
    if not ends:
        return np.zeros((1, 0), dtype=np.uint8)
    if ends > MAX_ENDS:
        raise SolverError(
            f"paths with {ends} open ends are too many to count with", "count a narrower graph"
        )
    smaller = matchings(ends - 2)
    parts = []
    for mate in range(1, ends):
        rest = np.array([place for place in range(1, ends) if place != mate], dtype=np.uint8)
        part = np.empty((len(smaller), ends), dtype=np.uint8)
        part[:, 0], part[:, mate] = mate, 0
        part[:, rest] = rest[smaller]
        parts.append(part)
    return np.concatenate(parts)


def _keys(mates: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """A word for each matching that sorts as the matchings do."""
    keys = np.zeros(len(mates), dtype=np.uint64)
    for column in mates.T:
        keys = keys << np.uint64(4) | column
    return keys


def sorted_set(numbers: Ints) -> Ints:
    """In order, each once; np.unique hashes them, which is far slower."""
    ordered = np.sort(numbers)
    is_new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return ordered[is_new]


@lru_cache(maxsize=512)
def link(
    ends: int, status_a: int, status_b: int, below_a: int, below_b: int
) -> tuple[Ints | None, Ints]:
    """Link a vertex to another in a higher slot, of given statuses, with so many ends below each.

    The columns that come of it (None for all), and the old columns that add up to each of them.
    """
    mates = matchings(ends)
    places = list(range(ends))  # the ends that remain, in their order
    columns = np.arange(len(mates))
    if status_a and status_b:
        # The far ends of two paths become mates; only the last path may be linked to itself.
        if ends > 2:
            columns = columns[mates[:, below_a] != below_b]
        mates = mates[columns]
        rows, far_a, far_b = np.arange(len(mates)), mates[:, below_a], mates[:, below_b]
        mates[rows, far_a], mates[rows, far_b] = far_b.copy(), far_a.copy()
        places = [place for place in places if place not in (below_a, below_b)]
    elif status_a:
        # The path that ended in one ends in the other now.
        places.insert(below_b - 1, places.pop(below_a))
    elif status_b:
        places.insert(below_a, places.pop(below_b))
    else:
        # A new path with two ends.
        fresh = np.array([[ends + 1, ends]], dtype=np.uint8)
        mates = np.concatenate([mates, fresh.repeat(len(mates), axis=0)], axis=1)
        places.insert(below_b, ends + 1)
        places.insert(below_a, ends)
    renamed = np.zeros(ends + 2, dtype=np.uint8)
    renamed[places] = range(len(places))
    after = matchings(len(places))
    ranks = np.searchsorted(_keys(after), _keys(renamed[mates[:, places]]))
    order = np.argsort(ranks, kind="stable")
    reached = sorted_set(ranks)
    sources = columns[order].reshape(len(reached), -1).T.copy()
    return None if len(reached) == len(after) else reached, sources

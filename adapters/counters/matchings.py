"""Numbered matchings of path ends, and the effect of a link of two vertices on them.

Ends are identified by position, so these tables apply to every graph and pattern.
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
    """Return the partner of each position in each matching, matchings in lexicographic order."""
    if not ends:
        return np.zeros((1, 0), dtype=np.uint8)
    if ends > MAX_ENDS:
        raise SolverError(
            f"the frontier method supports at most {MAX_ENDS} path ends (got {ends})",
            "use a counter or sampler of formulas",
        )
    smaller = matchings(ends - 2)
    blocks = []
    for mate in range(1, ends):
        others = np.array(
            [position for position in range(1, ends) if position != mate], dtype=np.uint8
        )
        block = np.empty((len(smaller), ends), dtype=np.uint8)
        block[:, 0], block[:, mate] = mate, 0
        block[:, others] = others[smaller]
        blocks.append(block)
    return np.concatenate(blocks)


def _sort_keys(mates: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return an integer for each matching, in the same order as the matchings."""
    keys = np.zeros(len(mates), dtype=np.uint64)
    for column in mates.T:
        keys = keys << np.uint64(4) | column
    return keys


def sorted_set(numbers: Ints) -> Ints:
    """Return the sorted unique numbers. np.unique hashes them, which is far slower."""
    in_order = np.sort(numbers)
    is_new = np.ones(len(in_order), np.bool_)
    np.not_equal(in_order[1:], in_order[:-1], out=is_new[1:])
    return in_order[is_new]


@lru_cache(maxsize=512)
def link(
    ends: int, status_a: int, status_b: int, below_a: int, below_b: int
) -> tuple[Ints | None, Ints]:
    """Return the effect on matchings of linking vertex a to vertex b in a higher slot.

    Parameters
    ----------
    ends : int
        Number of path ends before the link.
    status_a, status_b : int
        Degrees of the two vertices: 1 for an end, 0 for a free vertex.
    below_a, below_b : int
        Numbers of ends in lower slots.

    Returns
    -------
    array or None
        New columns that occur. None for all.
    array
        Rows of old columns; the sum of each column of this array goes to one new column.
    """
    mates = matchings(ends)
    positions = list(range(ends))  # remaining ends, in order
    columns = np.arange(len(mates))
    if status_a and status_b:
        # The far ends of two paths become partners; only the last path may be linked to itself.
        if ends > 2:
            columns = columns[mates[:, below_a] != below_b]
        mates = mates[columns]
        rows, far_a, far_b = np.arange(len(mates)), mates[:, below_a], mates[:, below_b]
        mates[rows, far_a], mates[rows, far_b] = far_b.copy(), far_a.copy()
        positions = [position for position in positions if position not in (below_a, below_b)]
    elif status_a:
        # The path that ended in a now ends in b.
        positions.insert(below_b - 1, positions.pop(below_a))
    elif status_b:
        positions.insert(below_a, positions.pop(below_b))
    else:
        # A new path with two ends.
        new_path = np.array([[ends + 1, ends]], dtype=np.uint8)
        mates = np.concatenate([mates, new_path.repeat(len(mates), axis=0)], axis=1)
        positions.insert(below_b, ends + 1)
        positions.insert(below_a, ends)
    new_position = np.zeros(ends + 2, dtype=np.uint8)
    new_position[positions] = range(len(positions))
    new_matchings = matchings(len(positions))
    ranks = np.searchsorted(
        _sort_keys(new_matchings), _sort_keys(new_position[mates[:, positions]])
    )
    order = np.argsort(ranks, kind="stable")
    new_columns = sorted_set(ranks)
    sources = columns[order].reshape(len(new_columns), -1).T.copy()
    return None if len(new_columns) == len(new_matchings) else new_columns, sources

"""`contraction(k)`: cells eliminated one after the other, and the links that replace them.

A cell that goes leaves a link between every two of its neighbours, so that a tour still leads
through those that stay. The cell whose neighbours lack the fewest links goes next (minimum fill),
until three stay. Links are numbered: first `edges`, then those from each cell to k cells more, then
the new ones. Each step (p, q, o, z) says that the links p and q of a cell that goes become the link
z between their other ends, where it replaces the link o; without one, o is the number of all links.
"""

from __future__ import annotations

from array import array
from itertools import combinations, islice

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.algorithms._elimination import Links, edges_of
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet, TupleSet

STAY = 3
"""So many cells are left: on them there is one way round."""

STEP_BYTES = 100
"""What a step takes until all are known."""


def compute(board: Board, more: int = 0) -> TupleSet:
    return contract(board, more)[0]


def contract(board: Board, more: int) -> tuple[TupleSet, KeyedSet]:
    """The steps, and the links of every cell when it goes, where they are not all edges."""
    links = _links(board, more)
    edges = links.number
    steps, ends, gone = array("q"), array("q"), array("q")
    for cell in islice(links.cells(links.fill), max(0, len(links.at) - STAY)):
        joined = sorted(links.at[cell].items())
        numbers = links.at[cell].values()
        if max(numbers, default=0) >= edges:
            ends.extend([cell] * len(joined))
            gone.extend(numbers)
        pairs = len(joined) * (len(joined) - 1) // 2
        checkpoint(STEP_BYTES * (len(steps) // 4 + pairs))
        for (u, p), (w, q) in combinations(joined, 2):
            steps.extend((p, q, *links.join(u, w)))
        links.remove(cell)
    columns = np.array(steps, np.int64).reshape(-1, 4).T
    columns[columns < 0] = links.number
    keys, items = np.array(ends, np.int64), np.array(gone, np.int64)
    return TupleSet(tuple(columns)), KeyedSet.group(keys, (len(links.at),), [items])


def _links(board: Board, more: int) -> Links:
    if not 0 <= more <= board.cells:
        raise InputError(f"{pluralize(more, 'cell')} more", f"add 0 to {board.cells}")
    cells = board.cells + more
    pairs = edges_of(board, more * cells)
    return Links(cells, pairs + [(i, j) for j in range(board.cells, cells) for i in range(j)])

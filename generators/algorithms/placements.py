"""`placements(t, k)`: where the pieces that a table draws fit on a grid.

Entries of one number are the squares of one piece. With k = 0 a piece lies as it is drawn, with 1
it may be turned, with 2 reflected too; ways that look alike are one. For every square the result
has items (p, o, a): piece p covers it if it lies in way o with its first square on a.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Ints, distinct
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet, Table

TABLES = (0,)
"""Which of the arguments are tables."""

WAYS = {0: 1, 1: 4, 2: 8}
"""In how many ways a piece may lie, at most."""

ITEM_BYTES = 4 * 8 * 5
"""What an item takes while all are made and put in order."""


def compute(board: Board, drawn: Table, freedom: int) -> KeyedSet:
    if board.description["shape"] != "grid" or board.cell_at is None:
        raise InputError("pieces lie on a grid alone", "choose `shape: grid`")
    if drawn.values.ndim != 2:
        raise InputError("pieces are drawn in rows", "give the table the shape `any, any`")
    if freedom not in WAYS:
        raise InputError(f"{freedom} is no way to turn pieces", "give 0, 1 or 2")
    squares = np.argwhere(drawn.values >= 0)
    checkpoint(ITEM_BYTES * WAYS[freedom] * len(squares) * board.places)
    number = drawn.values[tuple(squares.T)]
    places = board.cell_at.reshape(board.description["rows"], -1)
    items = []
    for piece in distinct(number).tolist():
        checkpoint()
        for order, way in enumerate(_ways(squares[number == piece], WAYS[freedom])):
            items.append(_lying(places, way, piece, order))
    found = np.concatenate(items) if items else np.zeros((0, 4), np.int64)
    *lying, covered = found.T
    return KeyedSet.group(covered, (board.cells,), lying)


def _ways(squares: Ints, most: int) -> Iterator[Ints]:
    """The different ways in which a piece may lie, each from its first square on."""
    seen = set()
    for way in range(most if len(squares) else 0):
        turned = squares
        for _ in range(way % 4):
            turned = np.stack([turned[:, 1], -turned[:, 0]], axis=1)
        if way >= 4:
            turned = turned * (1, -1)
        turned = turned[np.lexsort((turned[:, 1], turned[:, 0]))]
        turned = turned - turned[0]
        if (key := turned.tobytes()) not in seen:
            seen.add(key)
            yield turned


def _lying(places: Ints, way: Ints, piece: int, order: int) -> Ints:
    """The items of a piece in one way, on all squares where it fits."""
    rows, cols = places.shape
    row, column = (index.reshape(-1, 1) for index in np.divmod(np.arange(places.size), cols))
    row, column = row + way[:, 0], column + way[:, 1]
    inside = (row < rows) & (column >= 0) & (column < cols)
    cells = np.where(inside, places[np.minimum(row, rows - 1), column % cols], -1)
    cells = cells[(cells >= 0).all(axis=1)]
    first = np.repeat(cells[:, 0], len(way))
    return np.stack(
        [np.full(cells.size, piece), np.full(cells.size, order), first, cells.reshape(-1)], axis=1
    )

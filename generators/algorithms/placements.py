"""`placements(t, k)`: placements on a grid of the pieces (polyominoes) in a table.

Entries of t with the same number are the squares of a piece. k = 0 allows translations only, k = 1
also rotations, k = 2 also reflections; equal orientations are one. The result has an item (p, o, a)
for each square that piece p covers in orientation o with its first square on a.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from boardsat.base.errors import InputError, check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Ints, distinct
from boardsat.generators.boards import Board
from boardsat.generators.language.values import KeyedSet, Table

TABLES = (0,)

MAX_ORIENTATIONS = (1, 4, 8)
"""Maximum number of orientations of a piece, by k."""

ITEM_BYTES = 4 * 8 * 5  # memory for each item while all are computed and sorted


def compute(board: Board, pieces: Table, freedom: int) -> KeyedSet:
    if board.description["shape"] != "grid" or board.cell_at is None:
        raise InputError("the board must be a grid", "use `shape: grid`")
    if pieces.values.ndim != 2:
        raise InputError("t must have two dimensions", "declare it by `shape: any, any`")
    check_range("k", freedom, 0, len(MAX_ORIENTATIONS) - 1)
    squares = np.argwhere(pieces.values >= 0)
    checkpoint(ITEM_BYTES * MAX_ORIENTATIONS[freedom] * len(squares) * board.places)
    piece_of = pieces.values[tuple(squares.T)]
    cell_at = board.cell_at.reshape(board.description["rows"], -1)
    items = [np.zeros((0, 4), np.int64)]
    for piece in distinct(piece_of).tolist():
        checkpoint()
        orientations = _orientations(squares[piece_of == piece], MAX_ORIENTATIONS[freedom])
        for index, offsets in enumerate(orientations):
            first, covered = _translations(cell_at, offsets)
            labels = np.full((len(first), 2), (piece, index))
            items.append(np.column_stack([labels, first, covered]))
    *columns, covered = np.concatenate(items).T
    return KeyedSet.group(covered, (board.cells,), columns)


def _orientations(squares: Ints, maximum: int) -> Iterator[Ints]:
    """Yield the distinct orientations of a piece, as offsets from its first square."""
    yielded = set()
    for index in range(maximum if len(squares) else 0):
        image = squares
        for _ in range(index % 4):
            image = np.stack([image[:, 1], -image[:, 0]], axis=1)
        if index >= 4:
            image = image * (1, -1)
        image = image[np.lexsort((image[:, 1], image[:, 0]))]
        image = image - image[0]
        if (key := image.tobytes()) not in yielded:
            yielded.add(key)
            yield image


def _translations(cell_at: Ints, offsets: Ints) -> tuple[Ints, Ints]:
    """Return pairs of cells, as two arrays: the first cell of a translation, and a cell it covers.

    Every translation that fits on the board has a pair for each of its cells.
    """
    rows, cols = cell_at.shape
    row, column = (index.reshape(-1, 1) for index in np.divmod(np.arange(cell_at.size), cols))
    row, column = row + offsets[:, 0], column + offsets[:, 1]
    is_inside = (row < rows) & (column >= 0) & (column < cols)
    cells = np.where(is_inside, cell_at[np.minimum(row, rows - 1), column % cols], -1)
    cells = cells[(cells >= 0).all(axis=1)]
    return np.repeat(cells[:, 0], len(offsets)), cells.reshape(-1)

"""Divide and conquer after Parberry: closed tours of quarters are joined at the centre of a board.

A board is cut into quarters, or into halves if only one side is long, as long as the sides of the
parts are at least 6. Every part that is not cut further gets a closed tour with certain moves at
two of its corners, which the joins need; the other moves that they need are in every closed tour. A
join removes one move of each part and links the open ends in a ring. Parberry (1997) joins quarters
of n x n and n x (n + 2) boards. With halves, the method also supports all other rectangles that
have a closed tour and sides of at least 6.
"""

from __future__ import annotations

from random import Random

import numpy as np

from boardsat.adapters.heuristics import Search, UnsuitableError, warnsdorff
from boardsat.adapters.heuristics.circuits import Circuits
from boardsat.adapters.heuristics.neighbours import Neighbours, Rectangle, neighbours_from_edges

MIN_SIDE = 6
"""Minimum side of a part."""

Square = tuple[int, int]
Ring = tuple[tuple[Square, Square], ...]
"""Move to remove from each part; the second end of each is linked to the first of the next."""

# Rows and columns are relative to the first square after the cut.
_QUARTERS: Ring = (
    ((-1, -1), (-3, -2)),
    ((-2, 0), (-1, 2)),
    ((0, 0), (2, 1)),
    ((1, -1), (0, -3)),
)
_LEFT_AND_RIGHT: Ring = (((-1, -1), (-3, -2)), ((-4, 0), (-2, 1)))
_TOP_AND_BOTTOM: Ring = (((-1, -1), (-2, -3)), ((0, -4), (1, -2)))

_AVOIDED = (((1, 0), (2, 2)), ((1, 1), (2, 3)), ((1, 1), (3, 2)))
"""Moves near a corner, relative to it, that tours of parts avoid.

Closed tours that avoid them have the moves by which parts are joined.
"""


def find(search: Search) -> list[int]:
    """Return a tour; raise UnsuitableError for boards that Parberry's method does not support."""
    board = search.rectangle
    if (
        board is None
        or not board.is_for_knights
        or min(board.rows, board.cols) < MIN_SIDE
        or board.cells % 2
    ):
        raise UnsuitableError(
            "Parberry's method is for a knight on a rectangle with an even number of squares and "
            f"sides of at least {MIN_SIDE}"
        )
    plan = _Plan(board, search.random)
    plan.divide(0, 0, board.rows, board.cols)
    return plan.tour().circuit(0 if search.board_neighbours else search.start)


class _Plan:
    """Closed tours of the parts that are not cut further, and moves by which they are joined."""

    def __init__(self, board: Rectangle, random: Random) -> None:
        self.board = board
        self.random = random
        self.links = np.empty((board.cells, 2), np.int32)
        self.joins: list[list[tuple[int, int]]] = []
        self.part_tours: dict[tuple[int, int], np.ndarray] = {}
        """Tours of parts by rows and columns."""

    def divide(self, top: int, first_col: int, rows: int, cols: int) -> None:
        """Plan the closed tour of a part of the board."""
        heights, widths = _cut(rows), _cut(cols)
        if len(heights) == len(widths) == 1:
            self._add_part(top, first_col, rows, cols)
            return
        second_row, second_col = top + heights[0], first_col + widths[0]
        for row, height in zip((top, second_row), heights, strict=False):
            for column, width in zip((first_col, second_col), widths, strict=False):
                self.divide(row, column, height, width)
        if len(heights) == len(widths):
            self._plan_join(_QUARTERS, second_row, second_col)
        elif len(widths) == 2:
            self._plan_join(_LEFT_AND_RIGHT, top + rows, second_col)
        else:
            self._plan_join(_TOP_AND_BOTTOM, second_row, first_col + cols)

    def _add_part(self, top: int, first_col: int, rows: int, cols: int) -> None:
        """Add the closed tour of a part that is not cut further."""
        if (rows, cols) not in self.part_tours:
            self.part_tours[rows, cols] = np.array(_part_tour(rows, cols, self.random))
        row, column = np.divmod(self.part_tours[rows, cols], cols)
        cells = (top + row) * self.board.cols + first_col + column
        self.links[cells, 0] = np.roll(cells, 1)
        self.links[cells, 1] = np.roll(cells, -1)

    def _plan_join(self, ring: Ring, row: int, column: int) -> None:
        def cell(square: Square) -> int:
            return (row + square[0]) * self.board.cols + column + square[1]

        self.joins.append([(cell(first), cell(second)) for first, second in ring])

    def tour(self) -> Circuits:
        """Return the tour of the board, a single circuit."""
        circuits = Circuits(self.links.tolist())
        for moves in self.joins:
            circuits.join(moves)
        return circuits


def _cut(side: int) -> list[int]:
    """Return the lengths of two parts of a side, or the side if it is too short to be cut.

    Only the second part may be odd.
    """
    half = side // 4 * 2
    return [side] if side < 2 * MIN_SIDE else [half, side - half]


def _part_tour(rows: int, cols: int, random: Random) -> list[int]:
    """Return a closed tour of a part of the board that can be joined to tours of other parts.

    It has the moves by which parts are joined, at the lower left and the upper right corner.
    """
    tour = warnsdorff.find(Search(_without_avoided(Rectangle(rows, cols)), 0, True, random))
    assert tour is not None
    return tour


def _without_avoided(board: Rectangle) -> Neighbours:
    """Return the moves of a board except the avoided ones."""
    avoided = set()
    for (a, b), (c, d) in _AVOIDED:
        lower = ((board.rows - 1 - a) * board.cols + b, (board.rows - 1 - c) * board.cols + d)
        upper = ((a + 1) * board.cols - 1 - b, (c + 1) * board.cols - 1 - d)
        avoided |= {(min(lower), max(lower)), (min(upper), max(upper))}
    u, v = board.neighbours().edges()
    keys = u.astype(np.int64) * board.cells + v
    is_allowed = ~np.isin(keys, [a * board.cells + b for a, b in avoided])
    return neighbours_from_edges(board.cells, u[is_allowed], v[is_allowed])

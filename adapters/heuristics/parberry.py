"""Divide and conquer after Parberry: quarters of a board have tours that are joined at the centre.

A board is cut into quarters until no side can be cut in two parts of at least 6, and into halves
where only one side is long. Every small board gets a closed tour with certain moves at two of its
corners, which the joins need; the other moves that they need are in every closed tour. A join takes
one move out of each part and links the open ends in a ring. Parberry (1997) joins quarters of n x n
and n x (n + 2) boards; the halves add all other rectangles that have a closed tour and sides of at
least 6.
"""

from __future__ import annotations

from random import Random

import numpy as np

from boardsat.adapters.heuristics import Search, UnsuitableError, warnsdorff
from boardsat.adapters.heuristics.circuits import Circuits
from boardsat.adapters.heuristics.neighbours import Neighbours, Rectangle, neighbours_by_ends

SHORTEST = 6
"""The least side of a part."""

Place = tuple[int, int]
Ring = tuple[tuple[Place, Place], ...]
"""A move to take out of each part; the second end of each is linked to the first of the next."""

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
"""Moves near a corner, counted from it, without which a closed tour has those that joins need."""


def find(search: Search) -> list[int]:
    board = search.rectangle
    if (
        board is None
        or not board.is_for_knights
        or min(board.rows, board.cols) < SHORTEST
        or board.cells % 2
    ):
        raise UnsuitableError(
            "Parberry's method is for a knight on a rectangle with an even number of squares and "
            f"sides of at least {SHORTEST}"
        )
    plan = _Plan(board, search.random)
    plan.divide(0, 0, board.rows, board.cols)
    return plan.joined().circuit(0 if search.inside else search.start)


class _Plan:
    """The circuits of the small boards, and the moves at which to join them."""

    def __init__(self, board: Rectangle, random: Random) -> None:
        self.board = board
        self.random = random
        self.links = np.empty((board.cells, 2), np.int32)
        self.joins: list[list[tuple[int, int]]] = []
        self.small: dict[Place, np.ndarray] = {}

    def divide(self, top: int, left: int, rows: int, cols: int) -> None:
        """Plan the closed tour of a part of the board."""
        heights, widths = _cut(rows), _cut(cols)
        if len(heights) == len(widths) == 1:
            self._put_small(top, left, rows, cols)
            return
        below, beside = top + heights[0], left + widths[0]
        for row, height in zip((top, below), heights, strict=False):
            for column, width in zip((left, beside), widths, strict=False):
                self.divide(row, column, height, width)
        if len(heights) == len(widths):
            self._plan_join(_QUARTERS, below, beside)
        elif len(widths) == 2:
            self._plan_join(_LEFT_AND_RIGHT, top + rows, beside)
        else:
            self._plan_join(_TOP_AND_BOTTOM, below, left + cols)

    def _put_small(self, top: int, left: int, rows: int, cols: int) -> None:
        if (rows, cols) not in self.small:
            self.small[rows, cols] = np.array(_small_tour(rows, cols, self.random))
        row, column = np.divmod(self.small[rows, cols], cols)
        cells = (top + row) * self.board.cols + left + column
        self.links[cells, 0] = np.roll(cells, 1)
        self.links[cells, 1] = np.roll(cells, -1)

    def _plan_join(self, ring: Ring, row: int, column: int) -> None:
        def cell(place: Place) -> int:
            return (row + place[0]) * self.board.cols + column + place[1]

        self.joins.append([(cell(first), cell(second)) for first, second in ring])

    def joined(self) -> Circuits:
        links = Circuits(self.links.tolist())
        for moves in self.joins:
            links.join(moves)
        return links


def _cut(side: int) -> list[int]:
    """A side in two, if both parts are long enough; only the second may be odd."""
    half = side // 4 * 2
    return [side] if side < 2 * SHORTEST else [half, side - half]


def _small_tour(rows: int, cols: int, random: Random) -> list[int]:
    """A closed tour with the moves that joins need at the lower left and the upper right corner."""
    found = warnsdorff.find(Search(_without_avoided(Rectangle(rows, cols)), 0, True, random))
    assert found is not None
    return found


def _without_avoided(board: Rectangle) -> Neighbours:
    avoided = set()
    for (a, b), (c, d) in _AVOIDED:
        lower = ((board.rows - 1 - a) * board.cols + b, (board.rows - 1 - c) * board.cols + d)
        upper = ((a + 1) * board.cols - 1 - b, (c + 1) * board.cols - 1 - d)
        avoided |= {(min(lower), max(lower)), (min(upper), max(upper))}
    u, v = board.neighbours().edges()
    keys = u.astype(np.int64) * board.cells + v
    kept = ~np.isin(keys, [a * board.cells + b for a, b in avoided])
    return neighbours_by_ends(board.cells, u[kept], v[kept])

"""The neighbours of every cell, as arrays for NumPy and as lists for Python."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from boardsat.adapters.boards import Board, GraphBoard, Grid
from boardsat.adapters.boards._pieces import Pieces
from boardsat.adapters.boards._sheets import steps_of

Cells = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Neighbours:
    """Those of cell c are `targets[starts[c]:starts[c + 1]]`, in ascending order."""

    starts: npt.NDArray[np.int64]
    targets: Cells

    @property
    def cells(self) -> int:
        return len(self.starts) - 1

    def of(self, cell: int) -> Cells:
        return self.targets[self.starts[cell] : self.starts[cell + 1]]

    def of_all(self, cells: Cells) -> Cells:
        """The neighbours of some cells, one after the other."""
        first, counts = self.starts[cells], np.diff(self.starts)[cells]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        found: Cells = self.targets[np.repeat(first, counts) + within]
        return found

    def edges(self) -> tuple[Cells, Cells]:
        """The ends of every edge, the smaller first."""
        origins, targets = self.moves()
        forward = origins < targets
        return origins[forward], targets[forward]

    def moves(self) -> tuple[Cells, Cells]:
        """Where every move begins, and where it ends."""
        return np.repeat(np.arange(self.cells, dtype=np.int32), np.diff(self.starts)), self.targets

    def lists(self) -> list[list[int]]:
        """A list for every cell, in which equal numbers are one object, as memory is short."""
        numbers = np.arange(self.cells).astype(object)
        flat = numbers[self.targets].tolist()
        bounds = self.starts.tolist()
        return [flat[a:b] for a, b in pairwise(bounds)]

    def distances(self, origins: Cells, until: int | None = None) -> Cells:
        """How many moves each cell is from the nearest of some; -1 where no way leads.

        With `until`, what is farther than that cell is left at -1 too.
        """
        found = np.full(self.cells, -1, np.int32)
        marks = np.empty(self.cells, np.int64)
        front, distance = origins, 0
        found[front] = distance
        while len(front) and (until is None or found[until] < 0):
            distance += 1
            reached = self.of_all(front)
            reached = reached[found[reached] < 0]
            # Of equal cells the last one leaves its mark, and only that one is kept.
            numbers = np.arange(len(reached))
            marks[reached] = numbers
            front = reached[marks[reached] == numbers]
            found[front] = distance
        return found


KNIGHT = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
"""The steps of a knight in rows and columns, clockwise from two up and one right."""


@dataclass(frozen=True)
class Rectangle:
    """A plain board: rows, columns, and the steps that lead anywhere on it."""

    rows: int
    cols: int
    steps: frozenset[tuple[int, int]] = frozenset(KNIGHT)

    @property
    def cells(self) -> int:
        return self.rows * self.cols

    @property
    def is_for_knights(self) -> bool:
        return self.steps == frozenset(KNIGHT)

    def neighbours(self) -> Neighbours:
        rows, columns = np.divmod(np.arange(self.cells, dtype=np.int32), np.int32(self.cols))
        # In ascending order of the steps the neighbours of a cell are in order too.
        steps = sorted(self.steps)
        inside = np.zeros((self.cells, len(steps)), np.bool_)
        for place, (down, right) in enumerate(steps):
            fits_rows = (rows >= -down) & (rows < self.rows - down)
            inside[:, place] = fits_rows & (columns >= -right) & (columns < self.cols - right)
        shifts = np.array([down * self.cols + right for down, right in steps], np.int32)
        origins, places = np.nonzero(inside)
        targets = origins.astype(np.int32) + shifts[places]
        return Neighbours(_starts(origins, self.cells), targets)


def rectangle_of(board: Board) -> Rectangle | None:
    """The board as a plain rectangle, if it is one and nothing stands on it."""
    if not isinstance(board, Grid) or board.pieces != Pieces():
        return None
    steps = frozenset(step for leap in board.leaps for step in steps_of(leap))
    return Rectangle(board.rows, board.cols, steps)


def neighbours_of(board: Board) -> Neighbours:
    if rectangle := rectangle_of(board):
        return rectangle.neighbours()
    if isinstance(board, GraphBoard) and board.directed:
        arcs = np.array(sorted(board.joined), np.int32).reshape(-1, 2)
        return neighbours_by_moves(board.cells, arcs[:, 0], arcs[:, 1])
    pairs = np.array(board.edges(), np.int64).reshape(-1, 2)
    return neighbours_by_ends(board.cells, pairs[:, 0], pairs[:, 1])


def neighbours_by_ends(
    cells: int, u: npt.NDArray[np.integer], v: npt.NDArray[np.integer]
) -> Neighbours:
    """From the two ends of every edge."""
    return neighbours_by_moves(cells, np.concatenate([u, v]), np.concatenate([v, u]))


def neighbours_by_moves(
    cells: int, origins: npt.NDArray[np.integer], targets: npt.NDArray[np.integer]
) -> Neighbours:
    """From where every move begins, and where it ends."""
    order = np.lexsort((targets, origins))
    return Neighbours(_starts(origins, cells), targets[order].astype(np.int32))


def _starts(origins: npt.NDArray[np.integer], cells: int) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.bincount(origins, minlength=cells))])

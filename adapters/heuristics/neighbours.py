"""Adjacency lists of boards in compressed arrays (CSR), and breadth-first distances."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from boardsat.adapters.boards import Board, GraphBoard, Grid
from boardsat.adapters.boards._board import Pieces

Cells = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Neighbours:
    """Adjacency lists: that of cell c is `targets[starts[c]:starts[c + 1]]`, in ascending order."""

    starts: npt.NDArray[np.int64]
    targets: Cells

    @property
    def cells(self) -> int:
        return len(self.starts) - 1

    def neighbours_of(self, cell: int) -> Cells:
        return self.targets[self.starts[cell] : self.starts[cell + 1]]

    def concatenate(self, cells: Cells) -> Cells:
        """Return the adjacency lists of some cells, concatenated."""
        starts, counts = self.starts[cells], np.diff(self.starts)[cells]
        offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        neighbours: Cells = self.targets[np.repeat(starts, counts) + offsets]
        return neighbours

    def edges(self) -> tuple[Cells, Cells]:
        """Return the ends of every edge, the smaller cells in the first array."""
        origins, targets = self.moves()
        is_forward = origins < targets
        return origins[is_forward], targets[is_forward]

    def moves(self) -> tuple[Cells, Cells]:
        """Return the origin and the target of every move."""
        return np.repeat(np.arange(self.cells, dtype=np.int32), np.diff(self.starts)), self.targets

    def lists(self) -> list[list[int]]:
        """Return a list for every cell; equal numbers are one object, which saves memory."""
        numbers = np.arange(self.cells).astype(object)
        targets = numbers[self.targets].tolist()
        bounds = self.starts.tolist()
        return [targets[a:b] for a, b in pairwise(bounds)]

    def distances(self, origins: Cells, until: int | None = None) -> Cells:
        """Return the distance of every cell from the nearest origin (breadth-first search).

        The distance is -1 for unreachable cells, and for those that are farther than `until`.
        """
        distances = np.full(self.cells, -1, np.int32)
        marks = np.empty(self.cells, np.int64)
        frontier, distance = origins, 0
        distances[frontier] = distance
        while len(frontier) and (until is None or distances[until] < 0):
            distance += 1
            reached = self.concatenate(frontier)
            reached = reached[distances[reached] < 0]
            # Deduplicate: of equal cells, the last one sets the mark.
            numbers = np.arange(len(reached))
            marks[reached] = numbers
            frontier = reached[marks[reached] == numbers]
            distances[frontier] = distance
        return distances


KNIGHT = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
"""Steps of a knight (rows down, columns right), clockwise from two up and one right."""


@dataclass(frozen=True)
class Rectangle:
    """Rectangular board without holes and pieces."""

    rows: int
    cols: int
    steps: frozenset[tuple[int, int]] = frozenset(KNIGHT)
    """Steps of the piece: rows down, columns right."""

    @property
    def cells(self) -> int:
        return self.rows * self.cols

    @property
    def is_for_knights(self) -> bool:
        return self.steps == frozenset(KNIGHT)

    def neighbours(self) -> Neighbours:
        rows, columns = np.divmod(np.arange(self.cells, dtype=np.int32), np.int32(self.cols))
        # Sorted steps lead to the neighbours of a cell in ascending order.
        steps = sorted(self.steps)
        is_inside = np.zeros((self.cells, len(steps)), np.bool_)
        for number, (down, right) in enumerate(steps):
            fits_rows = (rows >= -down) & (rows < self.rows - down)
            is_inside[:, number] = fits_rows & (columns >= -right) & (columns < self.cols - right)
        shifts = np.array([down * self.cols + right for down, right in steps], np.int32)
        origins, step_numbers = np.nonzero(is_inside)
        targets = origins.astype(np.int32) + shifts[step_numbers]
        return Neighbours(_starts(origins, self.cells), targets)


def rectangle_of(board: Board) -> Rectangle | None:
    """Return a grid as a rectangle; None for other boards, and for grids with holes or pieces."""
    if not isinstance(board, Grid) or board.pieces != Pieces():
        return None
    steps = frozenset(step for leap in board.leaps for step in board.steps_of(leap))
    return Rectangle(board.rows, board.cols, steps)


def neighbours_of(board: Board) -> Neighbours:
    """Return the adjacency lists of a board."""
    if rectangle := rectangle_of(board):
        return rectangle.neighbours()
    if isinstance(board, GraphBoard) and board.directed:
        arcs = np.array(sorted(board.joined), np.int32).reshape(-1, 2)
        return neighbours_from_moves(board.cells, arcs[:, 0], arcs[:, 1])
    edges = np.array(board.edges(), np.int64).reshape(-1, 2)
    return neighbours_from_edges(board.cells, edges[:, 0], edges[:, 1])


def neighbours_from_edges(
    cells: int, u: npt.NDArray[np.integer], v: npt.NDArray[np.integer]
) -> Neighbours:
    """Return the adjacency lists, given the two ends of every edge."""
    return neighbours_from_moves(cells, np.concatenate([u, v]), np.concatenate([v, u]))


def neighbours_from_moves(
    cells: int, origins: npt.NDArray[np.integer], targets: npt.NDArray[np.integer]
) -> Neighbours:
    """Return the adjacency lists, given the origin and the target of every move."""
    order = np.lexsort((targets, origins))
    return Neighbours(_starts(origins, cells), targets[order].astype(np.int32))


def _starts(origins: npt.NDArray[np.integer], cells: int) -> npt.NDArray[np.int64]:
    """Return the start of every cell's list, and the end of the last one."""
    return np.concatenate([[0], np.cumsum(np.bincount(origins, minlength=cells))])

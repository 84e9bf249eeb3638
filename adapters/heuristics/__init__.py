"""Heuristic search for tours on the board itself, without a formula: one module for each method.

The module defines `find`, as `Heuristic` describes it. A constant `FOLLOWS_ARCS = True` declares
that the method supports directed graphs.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Protocol, cast

import numpy as np

from boardsat.adapters.boards import Board
from boardsat.adapters.heuristics.neighbours import (
    Cells,
    Neighbours,
    Rectangle,
    neighbours_from_moves,
    neighbours_of,
    rectangle_of,
)


class NoTourError(Exception):
    """Proof that the board has no tour; the message is the reason."""


class UnsuitableError(Exception):
    """Board that a method does not support; the message describes the boards that it does."""


@dataclass(frozen=True)
class Search:
    """Search for a tour of a board from a start, and back to it if the tour is closed."""

    neighbours: Neighbours
    """Moves of the board; with a virtual start cell, also those from and to that cell."""
    start: int
    closed: bool
    random: Random
    rectangle: Rectangle | None = None
    """Board as a rectangle without holes and pieces; None for other boards."""
    board_neighbours: Neighbours | None = None
    """Moves of the board alone, if the tour begins on a virtual cell that is adjacent to all."""
    directed: bool = False
    """True if a move may lack its reverse."""

    @cached_property
    def distances(self) -> Cells:
        """Distance of every cell from the start in moves; -1 if it is unreachable."""
        return self.neighbours.distances(np.array([self.start]))

    @cached_property
    def colours(self) -> Cells | None:
        """Colour of every cell in a 2-colouring, 0 for the start; None if not bipartite."""
        u, v = self.neighbours.moves()
        colours: Cells = self.distances % 2
        return None if np.any(colours[u] == colours[v]) else colours


class Heuristic(Protocol):
    """Module of a method."""

    def find(self, search: Search, *options: str) -> Sequence[int] | None:
        """Search for a tour.

        Parameters
        ----------
        search : Search
            Board and start. Its random numbers determine the result.
        *options : str
            Options of the method from the solver's description, such as the tie-breaking rule.

        Returns
        -------
        sequence of int or None
            Cells in the order of the visit; None if the method gives up.

        Raises
        ------
        NoTourError
            The method has proved that there is no tour.
        UnsuitableError
            The method does not support the board.
        """


def search_on(board: Board, start: int, closed: bool, seed: int) -> Search:
    """Return a search on a board.

    Parameters
    ----------
    board : Board
        Board to tour.
    start : int
        Cell that the tour begins on; the number of cells for an open tour from any cell.
    closed : bool
        True for a closed tour.
    seed : int
        Seed of the random numbers.
    """
    moves = neighbours_of(board)
    directed = board.directed
    if start < board.cells:
        return Search(moves, start, closed, Random(seed), rectangle_of(board), directed=directed)
    u, v = moves.moves()
    cells = np.arange(board.cells, dtype=np.int32)
    virtual = np.full(board.cells, start, np.int32)
    extended = neighbours_from_moves(
        board.cells + 1, np.concatenate([u, cells, virtual]), np.concatenate([v, virtual, cells])
    )
    return Search(extended, start, closed, Random(seed), rectangle_of(board), moves, directed)


def heuristic(name: str) -> Heuristic:
    """Return the module of a method."""
    return cast(Heuristic, importlib.import_module(f"{__name__}.{name}"))

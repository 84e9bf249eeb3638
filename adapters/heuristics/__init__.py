"""Heuristics that find a tour on the board itself, one file each, without a formula.

Each offers `find(search, *choices)`: the cells in the order of the visit, None where it gives up,
or `NoTourError` where it has proved that there is none.
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
    neighbours_by_moves,
    neighbours_of,
    rectangle_of,
)


class NoTourError(Exception):
    """There is no such tour; the message says why."""


class UnsuitableError(Exception):
    """The method is not for this board; the message says for which it is."""


@dataclass(frozen=True)
class Search:
    """What is sought: a tour of a board from its start, and back to it if it is closed."""

    neighbours: Neighbours
    start: int
    closed: bool
    random: Random
    rectangle: Rectangle | None = None
    """For methods that are made for plain boards."""
    inside: Neighbours | None = None
    """The board alone, where the start is a cell outside it with a move to every other."""
    directed: bool = False
    """Whether a move may lack its reverse."""

    @cached_property
    def distances(self) -> Cells:
        """Moves from the start; -1 for what is out of reach."""
        return self.neighbours.distances(np.array([self.start]))

    @cached_property
    def colours(self) -> Cells | None:
        """0 for the colour of the start, 1 for the other, if every move changes the colour."""
        u, v = self.neighbours.moves()
        found: Cells = self.distances % 2
        return None if np.any(found[u] == found[v]) else found


class Heuristic(Protocol):
    """What each file of this folder that finds tours offers."""

    def find(self, search: Search, *choices: str) -> Sequence[int] | None: ...


def search_on(board: Board, start: int, closed: bool, seed: int) -> Search:
    """A search from a cell of the board, or from the one outside it, after its last."""
    near = neighbours_of(board)
    directed = board.directed
    if start < board.cells:
        return Search(near, start, closed, Random(seed), rectangle_of(board), directed=directed)
    u, v = near.moves()
    inside = np.arange(board.cells, dtype=np.int32)
    outside = np.full(board.cells, start, np.int32)
    whole = neighbours_by_moves(
        board.cells + 1, np.concatenate([u, inside, outside]), np.concatenate([v, outside, inside])
    )
    return Search(whole, start, closed, Random(seed), rectangle_of(board), near, directed)


def heuristic(name: str) -> Heuristic:
    return cast(Heuristic, importlib.import_module(f"{__name__}.{name}"))

"""Posa rotations: a path that is stuck gets another end, until it continues or closes.

Where the end of a path has a neighbour inside it, the part behind that neighbour can be turned
round: the cell after the neighbour is the end then. A few such turns lead the end wherever it is
wanted.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import numpy as np

from boardsat.adapters.heuristics.neighbours import Bools, Cells, Neighbours

_RESTLESS = 0.15
"""The share of rotations that go anywhere, so that an end does not circle before a wall."""


class Path:
    """Cells in their order, and the place of each cell in it."""

    def __init__(self, neighbours: Neighbours, cells: Iterable[int] = ()) -> None:
        self.neighbours = neighbours
        self.length = 0
        self._cells = np.empty(neighbours.cells, np.int32)
        self._places = np.full(neighbours.cells, -1, np.int32)
        self.extend(cells)

    @property
    def order(self) -> Cells:
        return self._cells[: self.length]

    @property
    def end(self) -> int:
        return int(self._cells[self.length - 1])

    @property
    def is_complete(self) -> bool:
        return self.length == self.neighbours.cells

    @property
    def unvisited(self) -> Bools:
        return self._places < 0

    def extend(self, cells: Iterable[int]) -> None:
        self._put(self.length, np.fromiter(cells, np.int32))

    def free_neighbours(self) -> list[int]:
        """Where the path can go on."""
        near = self.neighbours.of(self.end)
        free: list[int] = near[self._places[near] < 0].tolist()
        return free

    def turns(self) -> Cells:
        """The places behind which the path can be turned round."""
        near = self._places[self.neighbours.of(self.end)]
        return near[(near >= 0) & (near < self.length - 2)]

    def end_after(self, turns: Cells) -> Cells:
        return self._cells[turns + 1]

    def turn(self, place: int) -> None:
        """Turn round what comes after a place."""
        self._put(place + 1, self._cells[place + 1 : self.length][::-1].copy())

    def reverse(self) -> None:
        self._put(0, self.order[::-1].copy())

    def _put(self, first: int, cells: Cells) -> None:
        self.length = first + len(cells)
        self._cells[first : self.length] = cells
        self._places[cells] = np.arange(first, self.length, dtype=np.int32)


def lead_end(path: Path, targets: Cells, random: Random, most: int) -> bool:
    """Whether at most so many rotations could bring the end next to a target."""
    distances = path.neighbours.distances(targets, until=path.end)
    far = len(distances)
    for _ in range(most):
        if distances[path.end] == 1:
            return True
        turns = path.turns()
        if not len(turns):
            return False
        if random.random() < _RESTLESS:
            chosen = random.randrange(len(turns))
        else:
            ahead = distances[path.end_after(turns)]
            ahead = np.where(ahead < 0, far, ahead)
            best = np.flatnonzero(ahead == ahead.min())
            chosen = int(best[int(random.random() * len(best))])
        path.turn(int(turns[chosen]))
    return bool(distances[path.end] == 1)


def close(path: Path, random: Random, most: int) -> bool:
    """Whether the ends could be brought together; the path may begin elsewhere then."""
    # An end that cannot be turned may be the start of one that can.
    for _ in range(2):
        if lead_end(path, path.order[:1].copy(), random, most):
            return True
        path.reverse()
    return False


def from_start(order: Cells, start: int) -> list[int]:
    """The cells of a tour, told from its start."""
    place = int(np.flatnonzero(order == start)[0])
    told: list[int] = np.roll(order, -place).tolist()
    return told

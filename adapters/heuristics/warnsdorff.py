"""Warnsdorff's rule: move to the cell with the fewest onward moves. Ties are broken by a rule.

Ties are broken at random; by Pohl's second level, which sums the onward moves of the cells behind;
or by the move orderings of Squirrel and Cull. These number the moves from 1, clockwise from two up
and one right. On a square board of m rows and columns, from a corner, one ordering is used until
the knight is on a certain square, then the next one.

A walk that is stuck is led on by rotations, which also close a tour. So a rule that fails on a
large board still finds a tour there; `walk` shows how often the rule alone succeeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

import numpy as np

from boardsat.adapters.heuristics import Search
from boardsat.adapters.heuristics.neighbours import KNIGHT, Bools, Cells, Neighbours, Rectangle

ATTEMPTS = 300
"""Maximum number of walks, which differ in their ties."""

_RESTLESS = 0.15
"""The share of rotations that go anywhere, so that an end does not circle before a wall."""

Lists = list[list[int]]

Tie = Callable[[int, list[int], Lists], int]
"""Function that chooses between equal moves from a cell, given the unvisited neighbours."""

Stages = list[tuple[Tie, int | None]]
"""Tie rules, each with the cell that ends its use."""

Square = tuple[int, int]

Stage = tuple[str, Callable[[int], Square] | None]

_ORDERINGS: dict[int, tuple[Stage, ...]] = {
    0: (
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51867342", lambda m: (m - 8, 1)),
        ("51342678", lambda m: (7, m - 3)),
        ("21435678", None),
    ),
    1: (
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51324678", lambda m: (m - 6, (m - 1) // 2 + 5)),
        ("32481765", None),
    ),
    2: (
        ("34261578", lambda m: (6, 1)),
        ("87642135", lambda m: (3, 1)),
        ("54132678", lambda m: (m - 15, 4)),
        ("52431678", lambda m: (10, m - 2)),
        ("85647123", lambda m: (5, m // 2 - 3)),
        ("15746823", None),
    ),
    3: (
        ("34625718", lambda m: (m - 1, m - 2)),
        ("42681357", lambda m: (m - 6, m)),
        ("86512347", lambda m: (2, 5)),
        ("51867342", lambda m: (m - 10, 3)),
        ("61825437", lambda m: ((m - 1) // 2, m - 2)),
        ("71642538", None),
    ),
    4: (
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51867342", lambda m: (m - 8, 1)),
        ("51342678", lambda m: (10, m - 5)),
        ("86753421", lambda m: (13, m // 2 + 1)),
        ("78563421", None),
    ),
    5: (
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51324678", lambda m: (m - 2, (m - 1) // 2 - (2 if m % 16 == 5 else 6))),
        ("15234678", None),
    ),
    6: (
        ("34261578", lambda m: (6, 1)),
        ("87642135", lambda m: (3, 1)),
        ("54132678", lambda m: (m - 10, 1)),
        ("52431678", lambda m: (10, m - 2)),
        ("85647123", lambda m: (3, m // 2 + 4)),
        ("12453678", None),
    ),
    7: (
        ("34625718", lambda m: (m - 1, m - 2)),
        ("42681357", lambda m: (m - 6, m)),
        ("86512347", lambda m: (2, 5)),
        ("51867342", lambda m: (m - 6, 3)),
        ("61825437", lambda m: ((m - 1) // 2 + 1, m - 2)),
        ("61357284", None),
    ),
}
"""Orderings by m modulo 8, each with the row and column, from 1, of the square that ends it.

Squirrel, A Warnsdorff-rule algorithm for knight's tours on square chessboards, 1996, table 1.
"""

Ranks = dict[int, int]
"""Ranks of steps, as differences of cells."""


def find(search: Search, ties: str = "random") -> list[int] | None:
    for attempt in range(ATTEMPTS):
        path = _completed(search, TIES[ties](search, attempt))
        if path is None:
            continue
        if not search.closed or close(path, search.random, patience(search)):
            return from_start(path.order, search.start)
    return None


def walk(
    lists: Lists, cell: int, options: list[int], tie: Tie, until: int | None = None
) -> list[int]:
    """Return the walk from a cell; visited cells are removed from the lists."""
    path = []
    while options:
        cell = _chosen(cell, options, tie, lists)
        path.append(cell)
        options = lists[cell]
        for other in options:
            lists[other].remove(cell)
        if cell == until:
            break
    return path


def _chosen(cell: int, options: list[int], tie: Tie, lists: Lists) -> int:
    if len(options) == 1:
        return options[0]
    least = 2**31
    equal = options
    for other in options:
        ways = len(lists[other])
        if ways < least:
            least = ways
            equal = [other]
        elif ways == least:
            equal.append(other)
    return equal[0] if len(equal) == 1 else tie(cell, equal, lists)


def walk_from_start(search: Search, lists: Lists, stages: Stages) -> list[int]:
    """Return the walk from the start by the rule alone."""
    path = [search.start]
    for other in lists[search.start]:
        lists[other].remove(search.start)
    for tie, until in stages:
        path += walk(lists, path[-1], lists[path[-1]], tie, until)
    return path


def _completed(search: Search, stages: Stages) -> Path | None:
    """Return a path through all cells: rotations lead a stuck walk to unvisited cells."""
    lists = search.neighbours.lists()
    path = Path(search.neighbours, walk_from_start(search, lists, stages))
    tie = stages[-1][0]
    while not path.is_complete:
        left = path.unvisited
        if search.colours is not None:
            # The end keeps its colour however it is led, and has no neighbour of that colour.
            left &= search.colours != search.colours[path.end]
        targets = np.flatnonzero(left).astype(np.int32)
        if not lead_end(path, targets, search.random, patience(search)):
            return None
        path.extend(walk(lists, path.end, path.free_neighbours(), tie))
    return path


def patience(search: Search) -> int:
    """Return the limit of rotations that lead an end across the board."""
    return 50 + 4 * int(search.distances.max())


def _at_random(search: Search, attempt: int) -> Stages:
    random = search.random.random

    def tie(cell: int, equal: list[int], lists: Lists) -> int:
        return equal[int(random() * len(equal))]

    return [(tie, None)]


def _by_pohl(search: Search, attempt: int) -> Stages:
    """Pohl's rule; every second attempt is random, as the rule excludes some tours on 5 x 5."""
    if attempt % 2:
        return _at_random(search, attempt)
    random = search.random.random

    def tie(cell: int, equal: list[int], lists: Lists) -> int:
        best = 2**31
        kept = equal
        for other in equal:
            total = 0
            for behind in lists[other]:
                total += len(lists[behind])
            if total < best:
                best = total
                kept = [other]
            elif total == best:
                kept.append(other)
        return kept[0] if len(kept) == 1 else kept[int(random() * len(kept))]

    return [(tie, None)]


def _by_squirrel_and_cull(search: Search, attempt: int) -> Stages:
    """Orderings of Squirrel and Cull on their boards; random orderings otherwise."""
    stages = _squirrel_cull_stages(search.rectangle, search.start)
    if stages and not attempt:
        return [(_by_rank(ranks.__getitem__), until) for ranks, until in stages]
    drawn: dict[int, float] = {}
    random = search.random.random

    def rank(step: int) -> float:
        return drawn.setdefault(step, random())

    return [(_by_rank(rank), None)]


def _by_rank(rank: Callable[[int], float]) -> Tie:
    """Choose the move of the smallest rank, where a move is a difference of cells."""

    def tie(cell: int, equal: list[int], lists: Lists) -> int:
        return min(equal, key=lambda other: rank(other - cell))

    return tie


TIES: dict[str, Callable[[Search, int], Stages]] = {
    "random": _at_random,
    "pohl": _by_pohl,
    "squirrel-cull": _by_squirrel_and_cull,
}


def _squirrel_cull_stages(board: Rectangle | None, start: int) -> list[tuple[Ranks, int | None]]:
    """Return ranks of steps, each with the cell that ends its use; none for other boards."""
    if board is None or not board.is_for_knights or board.rows != board.cols or start:
        return []
    m = board.rows
    found: list[tuple[Ranks, int | None]] = []
    for ordering, square_of in _ORDERINGS[m % 8]:
        moves = [KNIGHT[int(digit) - 1] for digit in ordering]
        ranks = {down * m + right: rank for rank, (down, right) in enumerate(moves)}
        if square_of is None:
            found.append((ranks, None))
        else:
            row, column = square_of(m)
            found.append((ranks, (row - 1) * m + column - 1))
    return found


# Posa rotations.


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

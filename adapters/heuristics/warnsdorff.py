"""Warnsdorff's rule: move to the cell with the fewest onward moves; Posa rotations for dead ends.

Ties are broken at random; by Pohl's second level, which is the sum of the onward moves of the next
cells; or by the move orderings of Squirrel and Cull. These number the moves from 1, clockwise from
two up and one right. On a square board of m rows and columns, from a corner, one ordering is used
until the knight is on a certain square, then the next one.

If the end of a path has a neighbour inside it, the part behind that neighbour can be reversed,
which gives the path another end (a Posa rotation). A few rotations lead the end of a walk that is
stuck next to an unvisited cell, or that of a complete path next to its start. So a rule that fails
on a large board still finds a tour there; `walk` shows how often the rule alone succeeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

import numpy as np

from boardsat.adapters.heuristics import Search
from boardsat.adapters.heuristics.neighbours import KNIGHT, Bools, Cells, Neighbours, Rectangle

MAX_ATTEMPTS = 300
"""Maximum number of walks, which differ in their ties."""

_RANDOM_ROTATION_SHARE = 0.15
"""Share of rotations that are random, so that the end of a path leaves a local minimum."""

Lists = list[list[int]]

Tie = Callable[[int, list[int], Lists], int]
"""Function that selects one of several tied moves from a cell, given all unvisited neighbours."""

Stages = list[tuple[Tie, int | None]]
"""Tie rules, each with the cell at which the next one begins; None for the last."""

Square = tuple[int, int]

Ordering = tuple[str, Callable[[int], Square] | None]
"""Order of preference of the moves, and the square that ends its use as a function of m."""

_ORDERINGS: dict[int, tuple[Ordering, ...]] = {
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
"""Orderings by m modulo 8; rows and columns of squares count from 1.

Squirrel, A Warnsdorff-rule algorithm for knight's tours on square chessboards, 1996, table 1.
"""

Ranks = dict[int, int]
"""Ranks of steps, as differences of cells."""


def find(search: Search, ties: str = "random") -> list[int] | None:
    """Return a tour, or None after the maximum number of walks.

    Parameters
    ----------
    search : Search
        Board and start.
    ties : str
        Name of a tie-breaking rule: a key of `TIES`.
    """
    for attempt in range(MAX_ATTEMPTS):
        path = _complete_path(search, TIES[ties](search, attempt))
        if path is None:
            continue
        if not search.closed or _close(path, search.random, _max_rotations(search)):
            start = int(np.flatnonzero(path.order == search.start)[0])
            order: list[int] = np.roll(path.order, -start).tolist()
            return order
    return None


def walk(
    lists: Lists, cell: int, options: list[int], tie: Tie, until: int | None = None
) -> list[int]:
    """Return the walk from a cell; visited cells are removed from the lists."""
    path = []
    while options:
        cell = _next_cell(cell, options, tie, lists)
        path.append(cell)
        options = lists[cell]
        for neighbour in options:
            lists[neighbour].remove(cell)
        if cell == until:
            break
    return path


def _next_cell(cell: int, options: list[int], tie: Tie, lists: Lists) -> int:
    """Return the option with the fewest onward moves."""
    if len(options) == 1:
        return options[0]
    min_moves = 2**31
    tied = options
    for option in options:
        moves = len(lists[option])
        if moves < min_moves:
            min_moves = moves
            tied = [option]
        elif moves == min_moves:
            tied.append(option)
    return tied[0] if len(tied) == 1 else tie(cell, tied, lists)


def walk_from_start(search: Search, lists: Lists, stages: Stages) -> list[int]:
    """Return the walk from the start by the rule alone."""
    path = [search.start]
    for neighbour in lists[search.start]:
        lists[neighbour].remove(search.start)
    for tie, until in stages:
        path += walk(lists, path[-1], lists[path[-1]], tie, until)
    return path


def _complete_path(search: Search, stages: Stages) -> Path | None:
    """Return a path through all cells, or None if rotations do not reach an unvisited cell."""
    lists = search.neighbours.lists()
    path = Path(search.neighbours, walk_from_start(search, lists, stages))
    tie = stages[-1][0]
    while not path.is_complete:
        is_target = path.unvisited
        if search.colours is not None:
            # Rotations preserve the colour of the end, which has no neighbour of that colour.
            is_target &= search.colours != search.colours[path.end]
        targets = np.flatnonzero(is_target).astype(np.int32)
        if not lead_end(path, targets, search.random, _max_rotations(search)):
            return None
        path.extend(walk(lists, path.end, path.unvisited_neighbours(), tie))
    return path


def _max_rotations(search: Search) -> int:
    """Return the maximum number of rotations that lead an end across the board."""
    return 50 + 4 * int(search.distances.max())


def _at_random(search: Search, attempt: int) -> Stages:
    random = search.random.random

    def tie(cell: int, tied: list[int], lists: Lists) -> int:
        return tied[int(random() * len(tied))]

    return [(tie, None)]


def _by_pohl(search: Search, attempt: int) -> Stages:
    """Pohl's rule; every second attempt is random, as the rule excludes some tours on 5 x 5."""
    if attempt % 2:
        return _at_random(search, attempt)
    random = search.random.random

    def tie(cell: int, tied: list[int], lists: Lists) -> int:
        min_total = 2**31
        best = tied
        for option in tied:
            total = 0
            for next_cell in lists[option]:
                total += len(lists[next_cell])
            if total < min_total:
                min_total = total
                best = [option]
            elif total == min_total:
                best.append(option)
        return best[0] if len(best) == 1 else best[int(random() * len(best))]

    return [(tie, None)]


def _by_squirrel_and_cull(search: Search, attempt: int) -> Stages:
    """Orderings of Squirrel and Cull on their boards; random orderings otherwise."""
    stages = _squirrel_cull_stages(search.rectangle, search.start)
    if stages and not attempt:
        return [(_by_rank(ranks.__getitem__), until) for ranks, until in stages]
    random_ranks: dict[int, float] = {}
    random = search.random.random

    def rank(step: int) -> float:
        return random_ranks.setdefault(step, random())

    return [(_by_rank(rank), None)]


def _by_rank(rank: Callable[[int], float]) -> Tie:
    """Return the rule that selects the move of the lowest rank; a move is a difference of cells."""

    def tie(cell: int, tied: list[int], lists: Lists) -> int:
        return min(tied, key=lambda option: rank(option - cell))

    return tie


TIES: dict[str, Callable[[Search, int], Stages]] = {
    "random": _at_random,
    "pohl": _by_pohl,
    "squirrel-cull": _by_squirrel_and_cull,
}
"""Tie-breaking rules by name: functions of the search and the number of the attempt."""


def _squirrel_cull_stages(board: Rectangle | None, start: int) -> list[tuple[Ranks, int | None]]:
    """Return the ranks of steps for each stage; empty unless a square board starts in a corner."""
    if board is None or not board.is_for_knights or board.rows != board.cols or start:
        return []
    m = board.rows
    stages: list[tuple[Ranks, int | None]] = []
    for ordering, square_of in _ORDERINGS[m % 8]:
        moves = [KNIGHT[int(digit) - 1] for digit in ordering]
        ranks = {down * m + right: rank for rank, (down, right) in enumerate(moves)}
        if square_of is None:
            stages.append((ranks, None))
        else:
            row, column = square_of(m)
            stages.append((ranks, (row - 1) * m + column - 1))
    return stages


# Posa rotations.


class Path:
    """Path in a graph: its cells in order, and the position of each cell."""

    def __init__(self, neighbours: Neighbours, cells: Iterable[int] = ()) -> None:
        self.neighbours = neighbours
        self.length = 0
        self._cells = np.empty(neighbours.cells, np.int32)
        self._positions = np.full(neighbours.cells, -1, np.int32)
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
        """True for each cell that is not on the path."""
        return self._positions < 0

    def extend(self, cells: Iterable[int]) -> None:
        self._replace_tail(self.length, np.fromiter(cells, np.int32))

    def unvisited_neighbours(self) -> list[int]:
        """Return the neighbours of the end that the path can continue to."""
        neighbours = self.neighbours.neighbours_of(self.end)
        unvisited: list[int] = neighbours[self._positions[neighbours] < 0].tolist()
        return unvisited

    def pivots(self) -> Cells:
        """Return the positions behind which the path can be reversed."""
        positions = self._positions[self.neighbours.neighbours_of(self.end)]
        return positions[(positions >= 0) & (positions < self.length - 2)]

    def ends_after(self, pivots: Cells) -> Cells:
        """Return the end of the path after the rotation at each pivot."""
        return self._cells[pivots + 1]

    def rotate(self, pivot: int) -> None:
        """Reverse the part of the path behind a pivot."""
        self._replace_tail(pivot + 1, self._cells[pivot + 1 : self.length][::-1].copy())

    def reverse(self) -> None:
        self._replace_tail(0, self.order[::-1].copy())

    def _replace_tail(self, first: int, cells: Cells) -> None:
        """Replace all cells from a position on."""
        self.length = first + len(cells)
        self._cells[first : self.length] = cells
        self._positions[cells] = np.arange(first, self.length, dtype=np.int32)


def lead_end(path: Path, targets: Cells, random: Random, max_rotations: int) -> bool:
    """Rotate the path until its end is adjacent to a target; return False if it does not get there.

    Most rotations minimize the distance of the end from the targets; the others are random.
    """
    distances = path.neighbours.distances(targets, until=path.end)
    unreached = len(distances)
    for _ in range(max_rotations):
        if distances[path.end] == 1:
            return True
        pivots = path.pivots()
        if not len(pivots):
            return False
        if random.random() < _RANDOM_ROTATION_SHARE:
            index = random.randrange(len(pivots))
        else:
            end_distances = distances[path.ends_after(pivots)]
            end_distances = np.where(end_distances < 0, unreached, end_distances)
            best = np.flatnonzero(end_distances == end_distances.min())
            index = int(best[int(random.random() * len(best))])
        path.rotate(int(pivots[index]))
    return bool(distances[path.end] == 1)


def _close(path: Path, random: Random, max_rotations: int) -> bool:
    """Rotate the path until its ends, which may change, are adjacent; return False on failure."""
    # If the end has no pivot, the start may have one.
    for _ in range(2):
        if lead_end(path, path.order[:1].copy(), random, max_rotations):
            return True
        path.reverse()
    return False

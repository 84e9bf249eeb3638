"""Warnsdorff's rule: move to the cell with the fewest onward moves. Ties are broken by a rule.

Ties are broken at random; by Pohl's second level, which sums the ways on from the cells behind; or
by the move orderings of Squirrel and Cull. A walk that is stuck is led on by rotations, which also
close a tour. So a rule that fails on a large board still finds a tour there; how often the rule
alone does is what `walk` tells.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from boardsat.adapters.heuristics import Search, squirrel_cull
from boardsat.adapters.heuristics.rotations import Path, close, from_start, lead_end

ATTEMPTS = 300
"""Walks, each with other ties, before it gives up."""

Lists = list[list[int]]
Tie = Callable[[int, list[int], Lists], int]
"""From a cell, to one of several that are equal; the lists hold the cells that are not visited."""

Stages = list[tuple[Tie, int | None]]
"""Rules, each with the cell that ends its use."""


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
    """From a cell as far as the rule leads; what is visited is taken out of the lists."""
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
    """The rule alone, as far as it leads."""
    path = [search.start]
    for other in lists[search.start]:
        lists[other].remove(search.start)
    for tie, until in stages:
        path += walk(lists, path[-1], lists[path[-1]], tie, until)
    return path


def _completed(search: Search, stages: Stages) -> Path | None:
    """A path through all cells: where the walk is stuck, its end is led to what is left."""
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
    """Rotations for one purpose: enough to lead an end across the board and to search near it."""
    return 50 + 4 * int(search.distances.max())


def _at_random(search: Search, attempt: int) -> Stages:
    random = search.random.random

    def tie(cell: int, equal: list[int], lists: Lists) -> int:
        return equal[int(random() * len(equal))]

    return [(tie, None)]


def _by_pohl(search: Search, attempt: int) -> Stages:
    """Every second attempt leaves ties to chance: on 5 x 5 Pohl's choices rule out some tours."""
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
    """Their orderings, where they are meant; elsewhere, and after these, orderings by chance."""
    stages = squirrel_cull.stages(search.rectangle, search.start)
    if stages and not attempt:
        return [(_by_rank(ranks.__getitem__), until) for ranks, until in stages]
    drawn: dict[int, float] = {}
    random = search.random.random

    def rank(step: int) -> float:
        return drawn.setdefault(step, random())

    return [(_by_rank(rank), None)]


def _by_rank(rank: Callable[[int], float]) -> Tie:
    """A move is the difference of two cells."""

    def tie(cell: int, equal: list[int], lists: Lists) -> int:
        return min(equal, key=lambda other: rank(other - cell))

    return tie


TIES: dict[str, Callable[[Search, int], Stages]] = {
    "random": _at_random,
    "pohl": _by_pohl,
    "squirrel-cull": _by_squirrel_and_cull,
}

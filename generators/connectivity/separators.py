"""What a graph falls apart without: single cells, and pairs of edges. By one depth-first search.

The edges outside the search's tree each close a cycle with it. Removing two edges disconnects the
graph if and only if both are on the same of these cycles; so the edges of each set of cycles are a
class, in which every two are such a pair.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from boardsat.base.limits import checkpoint

Pair = tuple[int, int]
"""An edge, its smaller end first."""


class Separators(NamedTuple):
    cells: list[int]
    """Without one of these the others are not connected; or with none, if they are not anyway."""
    edges: set[Pair]
    """Without one of these and one other the cells are not connected."""


def separators(near: list[list[int]]) -> Separators:
    """Of a graph by the neighbours of its cells."""
    order, before, place = _search(near)
    if len(order) < len(near):
        return Separators([next(cell for cell, at in enumerate(place) if at < 0)], set())
    low = list(place)
    on: list[int] = [0] * len(near)
    """The cycles on which the tree's edge to each cell is, as the bits of a number."""
    classes: dict[int, list[Pair]] = defaultdict(list)
    cycles = 0
    children = 0
    cut = set[int]()
    for cell in reversed(order):
        checkpoint()
        parent = before[cell]
        for other in near[cell]:
            if before[other] != cell and other != parent:
                low[cell] = min(low[cell], place[other])
                if place[other] < place[cell]:
                    on[cell] ^= 1 << cycles
                    on[other] ^= 1 << cycles
                    classes[1 << cycles].append((min(cell, other), max(cell, other)))
                    cycles += 1
        if parent < 0:
            continue
        low[parent] = min(low[parent], low[cell])
        on[parent] ^= on[cell]
        classes[on[cell]].append((min(cell, parent), max(cell, parent)))
        if before[parent] < 0:
            children += 1
        elif low[cell] >= place[parent]:
            cut.add(parent)
    if children > 1:
        cut.add(order[0])
    together = [edges for edges in classes.values() if len(edges) > 1]
    return Separators(sorted(cut), {edge for edges in together for edge in edges})


def _search(near: list[list[int]]) -> tuple[list[int], list[int], list[int]]:
    """Cells in the order in which they are found, the one before each, and the place of each."""
    order: list[int] = []
    before, place = [-1] * len(near), [-1] * len(near)
    ahead = [(0, -1)]
    while ahead:
        cell, parent = ahead.pop()
        if place[cell] >= 0:
            continue
        before[cell], place[cell] = parent, len(order)
        order.append(cell)
        ahead += [(other, cell) for other in near[cell] if place[other] < 0]
    return order, before, place

"""Depth-first search with backtracking: the first legal move, and back from a dead end.

Hillerman, Thirumaran and Vliet (2024) use it as the baseline. It is complete, so that it proves
that there is no tour, but it ends in reasonable time on small boards only.
"""

from __future__ import annotations

from boardsat.adapters.heuristics import NoTourError, Search

FOLLOWS_ARCS = True


def find(search: Search) -> list[int]:
    """Return a tour; raise NoTourError after an exhaustive search."""
    successors = search.neighbours.lists()
    last_cells = {cell for cell, targets in enumerate(successors) if search.start in targets}
    visited = bytearray(len(successors))
    visited[search.start] = 1
    path = [search.start]
    # For each cell of the path, the moves from it that were not tried yet.
    untried = [iter(successors[search.start])]
    while path:
        if len(path) == len(successors) and (not search.closed or path[-1] in last_cells):
            return path
        cell = next((cell for cell in untried[-1] if not visited[cell]), None)
        if cell is None:
            untried.pop()
            visited[path.pop()] = 0
        else:
            visited[cell] = 1
            path.append(cell)
            untried.append(iter(successors[cell]))
    raise NoTourError("an exhaustive search from the start found no tour")

"""Depth-first search with backtracking: the first move that is legal, and back from a dead end.

It is the first attempt of Hillerman, Thirumaran and Vliet (2024), and of nearly everybody. It ends
on small boards only, but there its failure is a proof.
"""

from __future__ import annotations

from boardsat.adapters.heuristics import NoTourError, Search

FOLLOWS_ARCS = True
"""No move needs its reverse."""


def find(search: Search) -> list[int]:
    following = search.neighbours.lists()
    home = {cell for cell, ahead in enumerate(following) if search.start in ahead}
    visited = bytearray(len(following))
    visited[search.start] = 1
    path = [search.start]
    # For each cell of the path, the moves from it that were not tried yet.
    untried = [iter(following[search.start])]
    while path:
        if len(path) == len(following) and (not search.closed or path[-1] in home):
            return path
        cell = next((cell for cell in untried[-1] if not visited[cell]), None)
        if cell is None:
            untried.pop()
            visited[path.pop()] = 0
        else:
            visited[cell] = 1
            path.append(cell)
            untried.append(iter(following[cell]))
    raise NoTourError("every way from the start was tried")

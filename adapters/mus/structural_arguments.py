"""Structural arguments that exclude a tour: two-colouring, degrees and cut vertices.

Every move of a knight changes the colour of its square, so a closed tour needs as many squares of
one colour as of the other. A cycle visits each cell once, so it cannot exist if removing one cell
disconnects the others.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from boardsat.adapters.boards import Board, board_of, start_of
from boardsat.adapters.dimacs.header import Header
from boardsat.adapters.heuristics import NoTourError, Search, search_on, two_colouring
from boardsat.base.text import pluralize

TOURS = ("tour", "hamilton")
"""Problems whose solutions visit every cell of the board once."""

MAX_CELLS = 10_000
"""Maximum number of cells of a board that is examined."""


def structural_arguments(header: Header) -> Iterator[str]:
    """Yield the arguments for the board of a header; nothing if its structure allows a tour."""
    board = board_of(header)
    if board is None or header.problem not in TOURS or board.cells > MAX_CELLS:
        return
    search = search_on(board, start_of(header, board), header.closed, 0)
    try:
        two_colouring.refute(search)
    except NoTourError as error:
        is_small = np.any(search.distances < 0) or len(search.distances) < 3
        premise = "a tour reaches every cell" if is_small else "every move changes the colour"
        yield str(error) if search.colours is None else f"{error}; {premise}"
        return
    if header.closed and not board.directed:
        yield from _cut_vertices(board, search)


def _cut_vertices(board: Board, search: Search) -> Iterator[str]:
    """Yield the first cell with fewer than two moves, or the first cut vertex."""
    neighbours: list[list[int]] = [[] for _ in range(board.cells)]
    for u, v in board.edges():
        neighbours[u].append(v)
        neighbours[v].append(u)
    for cell, adjacent in enumerate(neighbours):
        if len(adjacent) < 2:
            moves = pluralize(len(adjacent), "move")
            yield f"{board.name(cell)} has {moves}, and a cycle needs two"
            return
    for cell in range(board.cells):
        sizes = _component_sizes_without(cell, neighbours)
        if len(sizes) > 1:
            counts = " and ".join(f"{size:,}" for size in sizes)
            yield f"without {board.name(cell)} the others are disconnected, in parts of {counts}"
            return


def _component_sizes_without(cell: int, neighbours: list[list[int]]) -> list[int]:
    """Return the sizes of the components that remain when a cell is removed."""
    visited, sizes = {cell}, []
    for start in range(len(neighbours)):
        if start in visited:
            continue
        visited.add(start)
        component = [start]
        for vertex in component:
            unvisited = [other for other in neighbours[vertex] if other not in visited]
            visited.update(unvisited)
            component += unvisited
        sizes.append(len(component))
    return sizes

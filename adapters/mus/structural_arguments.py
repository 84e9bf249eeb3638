"""Structural arguments against a tour, which need no solver: colours and cut vertices.

Every move of a knight changes the colour of its square, so a closed tour needs as many of one
colour as of the other. A tour passes through each cell once, so if the others fall apart without
it, they cannot be on one cycle.
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
    """Yield the arguments of a board; none if the structure does not exclude a tour."""
    board = board_of(header)
    if board is None or header.problem not in TOURS or board.cells > MAX_CELLS:
        return
    search = search_on(board, start_of(header, board), header.closed, 0)
    try:
        two_colouring.refute(search)
    except NoTourError as reason:
        yield f"{reason}; {_because(search)}" if search.colours is not None else str(reason)
        return
    if header.closed and not board.directed:
        yield from _cut_vertices(board, search)


def _because(search: Search) -> str:
    if np.any(search.distances < 0) or len(search.distances) < 3:
        return "a tour reaches every cell"
    return "every move changes the colour"


def _cut_vertices(board: Board, search: Search) -> Iterator[str]:
    """Yield the first cell with fewer than two moves, or the first cut vertex."""
    near: list[list[int]] = [[] for _ in range(board.cells)]
    for u, v in board.edges():
        near[u].append(v)
        near[v].append(u)
    for cell, around in enumerate(near):
        if len(around) < 2:
            yield f"{board.name(cell)} has {pluralize(len(around), 'move')}, and a cycle takes two"
            return
    for cell in range(board.cells):
        sizes = _parts_without(cell, near)
        if len(sizes) > 1:
            apart = " and ".join(f"{size:,}" for size in sizes)
            yield f"without {board.name(cell)} the others fall apart, into {apart}"
            return


def _parts_without(cell: int, near: list[list[int]]) -> list[int]:
    """Return the sizes of the components without a cell."""
    seen, sizes = {cell}, []
    for first in range(len(near)):
        if first in seen:
            continue
        seen.add(first)
        part = [first]
        for member in part:
            more = [other for other in near[member] if other not in seen]
            seen.update(more)
            part += more
        sizes.append(len(part))
    return sizes

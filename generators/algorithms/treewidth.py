"""`treewidth(k)`: upper bound of the treewidth by minimum-degree elimination; k + 1 if above k.

The bound is the maximum degree of a cell at its elimination. Cells of degree above k are not
eliminated, so that the time is bounded however large the board is.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from boardsat.base.errors import check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board

NEIGHBOUR_BYTES = 300  # memory for each neighbour of a cell

ELIMINATED: set[int] = {-1}
"""Marker in place of the neighbours of an eliminated cell."""


def compute(board: Board, max_width: int) -> int:
    check_range("k", max_width, 0)
    if not board.cells:
        return 0
    checkpoint(NEIGHBOUR_BYTES * (board.cells + 2 * board.moves.size))
    board = board.to_undirected()
    starts, targets = board.neighbours.starts.tolist(), board.neighbours.columns[0].tolist()
    neighbours = [set(targets[starts[i] : starts[i + 1]]) for i in range(board.cells)]
    queue = [(len(near), cell) for cell, near in enumerate(neighbours) if len(near) <= max_width]
    heapify(queue)
    width = num_eliminated = 0
    while queue:
        degree, cell = heappop(queue)
        near = neighbours[cell]
        if len(near) != degree or near is ELIMINATED:
            continue
        checkpoint()
        width, num_eliminated = max(width, degree), num_eliminated + 1
        neighbours[cell] = ELIMINATED
        for u in near:
            links = neighbours[u]
            links |= near
            links -= {u, cell}
            if len(links) <= max_width:
                heappush(queue, (len(links), u))
    return width if num_eliminated == board.cells else max_width + 1

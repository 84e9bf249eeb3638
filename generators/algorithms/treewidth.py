"""`treewidth(k)`: an upper bound, by cells eliminated one after the other; k + 1 if more than k.

The cell with the fewest neighbours goes next, and its neighbours become neighbours of each other.
The most that one has when it goes bounds the treewidth from above. Nothing is done for a cell that
has more than k, so the answer comes soon, however large the board is.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board

NEIGHBOUR = 300
"""Bytes that a neighbour of a cell takes."""


def compute(board: Board, most: int) -> int:
    if most < 0:
        raise InputError(f"a treewidth of {most}", "give at least 0")
    if not board.cells:
        return 0
    checkpoint(NEIGHBOUR * (board.cells + 2 * board.moves.size))
    board = board.to_undirected()
    starts, targets = board.neighbours.starts.tolist(), board.neighbours.columns[0].tolist()
    near = [set(targets[starts[i] : starts[i + 1]]) for i in range(board.cells)]
    queue = [(len(around), cell) for cell, around in enumerate(near) if len(around) <= most]
    heapify(queue)
    width = gone = 0
    while queue:
        degree, cell = heappop(queue)
        around = near[cell]
        if len(around) != degree or around is GONE:
            continue
        checkpoint()
        width, gone = max(width, degree), gone + 1
        near[cell] = GONE
        for other in around:
            joined = near[other]
            joined |= around
            joined -= {other, cell}
            if len(joined) <= most:
                heappush(queue, (len(joined), other))
    return width if gone == board.cells else most + 1


GONE: set[int] = {-1}
"""The neighbours of a cell that was eliminated."""

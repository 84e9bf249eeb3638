"""The neural network of Takefuji and Lee: a neuron for every move, which converges to cycles.

A neuron is active when its move belongs to the tour. Its state grows where its two cells have too
few active moves and falls where they have too many; it becomes active above 3, and inactive below
0. When nothing changes and every cell has two active moves, they form circuits, rarely a single
one: the rest are patched together, where two of them run side by side. Neurons are updated one
after the other, as they seldom settle when all change at once.

An open tour is a closed one of the board with two cells outside it: one that only leads from the
start to the other, and that one leads to every cell.
"""

from __future__ import annotations

from random import Random

import numpy as np

from boardsat.adapters.heuristics import Search
from boardsat.adapters.heuristics.circuits import Circuits
from boardsat.adapters.heuristics.neighbours import Neighbours, neighbours_by_ends

TRIALS = 300
"""Random first states, before it gives up."""

UPDATES = 500
"""Of every neuron, before a trial is given up."""

_RISES, _FALLS = 3, 0


def find(search: Search) -> list[int] | None:
    board = search.neighbours if search.closed else _with_outside(search.neighbours, search.start)
    if board.cells < 3:
        return None
    for _ in range(TRIALS):
        links = settle(board, search.random)
        if links is None or not patch(links, board):
            continue
        order = links.circuit(search.start)
        return order if search.closed else _inside(order, search.neighbours.cells)
    return None


def settle(neighbours: Neighbours, random: Random) -> Circuits | None:
    """Circuits through all cells, or None if the network does not come to rest."""
    u, v = neighbours.edges()
    moves = list(zip(u.tolist(), v.tolist(), strict=True))
    active = [random.random() < 0.5 for _ in moves]
    states = [0] * len(moves)
    degrees = [0] * neighbours.cells
    for (a, b), on in zip(moves, active, strict=True):
        degrees[a] += on
        degrees[b] += on
    for _ in range(UPDATES):
        at_rest = True
        for number, (a, b) in enumerate(moves):
            state = states[number] = states[number] + 4 - degrees[a] - degrees[b]
            if state > _RISES and not active[number]:
                active[number], change = True, 1
            elif state < _FALLS and active[number]:
                active[number], change = False, -1
            else:
                continue
            degrees[a] += change
            degrees[b] += change
            at_rest = False
        if at_rest and all(degree == 2 for degree in degrees):
            return _links([move for move, on in zip(moves, active, strict=True) if on], degrees)
    return None


def _links(moves: list[tuple[int, int]], degrees: list[int]) -> Circuits:
    pairs: list[list[int]] = [[] for _ in degrees]
    for a, b in moves:
        pairs[a].append(b)
        pairs[b].append(a)
    return Circuits(pairs)


def patch(links: Circuits, neighbours: Neighbours) -> bool:
    """Whether all circuits could be joined, two at a time."""
    near = [set(cells) for cells in neighbours.lists()]
    while len(circuits := links.circuits()) > 1:
        exchange = next(filter(None, (_exchange(each, links, near) for each in circuits)), None)
        if exchange is None:
            return False
        links.join(exchange)
    return True


def _exchange(
    circuit: list[int], links: Circuits, near: list[set[int]]
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """A move of this circuit and one of another whose ends are neighbours."""
    own = set(circuit)
    for a in circuit:
        for b in links.pairs[a]:
            for c in near[a] - own:
                for d in links.pairs[c]:
                    if d in near[b]:
                        return (b, a), (c, d)
    return None


def _with_outside(board: Neighbours, start: int) -> Neighbours:
    u, v = board.edges()
    door, outside = board.cells, board.cells + 1
    others = np.delete(np.arange(board.cells), start)
    ends = np.concatenate([u, [start, door], others])
    other_ends = np.concatenate([v, [door, outside], np.full(len(others), outside)])
    return neighbours_by_ends(board.cells + 2, ends, other_ends)


def _inside(order: list[int], cells: int) -> list[int]:
    """The part of the tour on the board, from its start, which is first in the order."""
    forward = order if order[1] < cells else [order[0], *order[:0:-1]]
    return [cell for cell in forward if cell < cells]

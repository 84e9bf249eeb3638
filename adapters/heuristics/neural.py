"""Neural network of Takefuji and Lee: a neuron for every edge, which converges to circuits.

A neuron is active if its edge belongs to the tour. Its state grows while its two cells have too few
active edges, and falls while they have too many; it becomes active above 3, and inactive below 0.
When no neuron changes and every cell has two active edges, these form circuits, rarely a single
one. Circuits are then joined in pairs, by two edges whose ends are adjacent. Neurons are updated
one after the other, because they seldom settle if all change at once.

An open tour is a closed one with two virtual cells: one is adjacent to the start and to the other
virtual cell, which is adjacent to every cell except the start.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from random import Random

import numpy as np

from boardsat.adapters.heuristics import Search
from boardsat.adapters.heuristics.circuits import Circuits
from boardsat.adapters.heuristics.neighbours import Neighbours, neighbours_from_edges

MAX_TRIALS = 300
"""Maximum number of random initial states."""

MAX_UPDATES = 500
"""Maximum number of updates of every neuron in a trial."""

_ACTIVE_ABOVE, _INACTIVE_BELOW = 3, 0


def find(search: Search) -> list[int] | None:
    """Return a tour, or None after the maximum number of trials."""
    board = search.neighbours
    if not search.closed:
        board = _with_virtual_cells(board, search.start)
    if board.cells < 3:
        return None
    for _ in range(MAX_TRIALS):
        circuits = settle(board, search.random)
        if circuits is None or not join_all(circuits, board):
            continue
        order = circuits.circuit(search.start)
        return order if search.closed else _without_virtual_cells(order, search.neighbours.cells)
    return None


def settle(neighbours: Neighbours, random: Random) -> Circuits | None:
    """Return circuits through all cells, or None if the network does not converge."""
    u, v = neighbours.edges()
    edges = list(zip(u.tolist(), v.tolist(), strict=True))
    active = [random.random() < 0.5 for _ in edges]
    states = [0] * len(edges)
    degrees = [0] * neighbours.cells
    for (a, b), is_active in zip(edges, active, strict=True):
        degrees[a] += is_active
        degrees[b] += is_active
    for _ in range(MAX_UPDATES):
        has_changed = False
        for number, (a, b) in enumerate(edges):
            state = states[number] = states[number] + 4 - degrees[a] - degrees[b]
            if state > _ACTIVE_ABOVE and not active[number]:
                active[number], change = True, 1
            elif state < _INACTIVE_BELOW and active[number]:
                active[number], change = False, -1
            else:
                continue
            degrees[a] += change
            degrees[b] += change
            has_changed = True
        if not has_changed and all(degree == 2 for degree in degrees):
            return _circuits(compress(edges, active), neighbours.cells)
    return None


def _circuits(edges: Iterable[tuple[int, int]], cells: int) -> Circuits:
    links: list[list[int]] = [[] for _ in range(cells)]
    for a, b in edges:
        links[a].append(b)
        links[b].append(a)
    return Circuits(links)


def join_all(circuits: Circuits, neighbours: Neighbours) -> bool:
    """Join circuits in pairs; return False if more than one remains."""
    adjacency = [set(cells) for cells in neighbours.lists()]
    while len(cycles := circuits.circuits()) > 1:
        exchanges = (_exchange(cycle, circuits, adjacency) for cycle in cycles)
        exchange = next(filter(None, exchanges), None)
        if exchange is None:
            return False
        circuits.join(exchange)
    return True


def _exchange(
    cycle: list[int], circuits: Circuits, adjacency: list[set[int]]
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return an edge of this cycle and one of another with adjacent ends, or None."""
    cycle_cells = set(cycle)
    for a in cycle:
        for b in circuits.links[a]:
            for c in adjacency[a] - cycle_cells:
                for d in circuits.links[c]:
                    if d in adjacency[b]:
                        return (b, a), (c, d)
    return None


def _with_virtual_cells(board: Neighbours, start: int) -> Neighbours:
    """Return the board with the two virtual cells of open tours."""
    u, v = board.edges()
    start_link, end_link = board.cells, board.cells + 1
    end_cells = np.delete(np.arange(board.cells), start)
    return neighbours_from_edges(
        board.cells + 2,
        np.concatenate([u, [start, start_link], end_cells]),
        np.concatenate([v, [start_link, end_link], np.full(len(end_cells), end_link)]),
    )


def _without_virtual_cells(order: list[int], cells: int) -> list[int]:
    """Return the cells of the board from the start, which is first in the circuit."""
    forward = order if order[1] < cells else [order[0], *order[:0:-1]]
    return [cell for cell in forward if cell < cells]

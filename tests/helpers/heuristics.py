"""Graphs, searches and checks for tests of heuristics."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import numpy as np

from boardsat.adapters import heuristics
from boardsat.adapters.heuristics import NoTourError, Search, UnsuitableError, two_colouring
from boardsat.adapters.heuristics.neighbours import (
    Rectangle,
    neighbours_from_edges,
)
from helpers.solver_runs import SOLVERS

Pairs = list[tuple[int, int]]

HEURISTICS = [solver for solver in SOLVERS if solver.output_format == "tour"]


def knight_edges(rows: int, cols: int) -> Pairs:
    """Return the moves of a knight on a rectangle, each once."""
    return [
        (row * cols + col, (row + down) * cols + col + right)
        for row in range(rows)
        for col in range(cols)
        for down, right in ((1, 2), (2, 1), (1, -2), (2, -1))
        if row + down < rows and 0 <= col + right < cols
    ]


PETERSEN = [
    *((v, (v + 1) % 5) for v in range(5)),
    *((v, v + 5) for v in range(5)),
    *((5 + v, 5 + (v + 2) % 5) for v in range(5)),
]


def assert_tour(order: Sequence[int], edges: Pairs, cells: int, start: int, closed: bool) -> None:
    moves = {pair for u, v in edges for pair in ((u, v), (v, u))}
    assert order[0] == start and sorted(order) == list(range(cells))
    assert all(step in moves for step in pairwise([*order, order[0]] if closed else order))


def search_for(
    cells: int,
    edges: Pairs,
    start: int,
    closed: bool,
    seed: int = 0,
    rectangle: Rectangle | None = None,
) -> Search:
    """Return the search for a tour of a graph."""
    u, v = np.array(edges).T
    return Search(neighbours_from_edges(cells, u, v), start, closed, Random(seed), rectangle)


def run_heuristic(search: Search, method: tuple[str, ...]) -> Sequence[int] | bool | None:
    """Return a tour, False if the heuristic refutes one, or None if it gives up."""
    name, *options = method
    try:
        two_colouring.refute(search)
        return heuristics.heuristic(name).find(search, *options)
    except NoTourError:
        return False
    except UnsuitableError:
        return None

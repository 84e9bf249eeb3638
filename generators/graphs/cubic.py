"""Graphs in which every vertex has three neighbours: Petersen's kin, snarks, planted cuts."""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints
from boardsat.generators.graphs import regular_graphs
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.simple import SMALLEST_CYCLE, check_size
from boardsat.generators.randomness.splitmix64 import Stream

SMALLEST = 4
"""Vertices of the smallest graph in which every one has three neighbours."""


def petersen(n: int, k: int) -> Graph:
    """A circle 0..n-1, a spoke from each of them, and the other ends k apart joined.

    It has no Hamiltonian cycle if and only if n is 5 modulo 6, and k is 2 or (n - 1) / 2 (Alspach
    1983).
    """
    if n < SMALLEST_CYCLE or not 1 <= k < n / 2:
        fault = f"a Petersen graph of {pluralize(n, 'spoke')} and steps of {k}"
        raise InputError(fault, f"give at least {SMALLEST_CYCLE}, and steps of less than half")
    check_size(2 * n, 3 * n)
    i = np.arange(n)
    ends = np.concatenate([(i + 1) % n, i + n, (i + k) % n + n])
    return Graph.from_ends(2 * n, np.concatenate([i, i, i + n]), ends)


def flower(k: int) -> Graph:
    """k stars in a ring, whose tips form a circle and one twice as long.

    Hub i is vertex i, its tips are k + i on the circle, 2k + i and 3k + i on the long one. For an
    odd k of 5 and more this is Isaacs' flower snark: its edges cannot be coloured by three colours,
    and it has no Hamiltonian cycle.
    """
    if k < SMALLEST_CYCLE:
        raise InputError(f"a flower of {pluralize(k, 'star')}", f"give at least {SMALLEST_CYCLE}")
    check_size(4 * k, 6 * k)
    i, long = np.arange(k), np.arange(2 * k)
    hubs = np.tile(i, 3)
    tips = k + np.arange(3 * k)
    u = np.concatenate([hubs, k + i, 2 * k + long])
    v = np.concatenate([tips, k + (i + 1) % k, 2 * k + (long + 1) % (2 * k)])
    return Graph.from_ends(4 * k, u, v)


def cubiccuts(m: int, n: int, c: int, seed: int) -> Graph:
    """m random cubic graphs of n vertices in a row, each joined to the next by 2c edges.

    c edges of one and c of the next exchange an end, so that all vertices keep three neighbours.
    """
    # A greedy matching always has that many edges: each blocks at most four others.
    most = 3 * n // 10 // 2
    if m < 1 or n < SMALLEST or n % 2:
        fault = f"{pluralize(m, 'graph')} of {pluralize(n, 'vertex', 'vertices')}"
        raise InputError(fault, f"give at least 1 of an even number, {SMALLEST} or more")
    if not 1 <= c <= most:
        raise InputError(
            f"{pluralize(2 * c, 'edge')} to the next", f"the range of C is 1 to {most}"
        )
    check_size(m * n, 3 * m * n // 2)
    stream = Stream(seed)
    kept, ends = [], []
    for part in range(m):
        edges = regular_graphs.regular(stream, n, 3)
        checkpoint()
        matched = _matching(edges[stream.order(len(edges))], 2 * c)
        # The first of a row has none before it, the last one none after it.
        taken = matched[c * (part == 0) : 2 * c - c * (part == m - 1)]
        flat = edges[:, 0] * n + edges[:, 1]
        kept.append(edges[~np.isin(flat, taken[:, 0] * n + taken[:, 1])] + part * n)
        ends.append(matched + part * n)
    after, before = (
        np.concatenate([np.zeros((0, 2), np.int64), *found])
        for found in ([each[c:] for each in ends[:-1]], [each[:c] for each in ends[1:]])
    )
    u = np.concatenate([*(each[:, 0] for each in kept), after.ravel()])
    v = np.concatenate([*(each[:, 1] for each in kept), before.ravel()])
    return Graph.from_ends(m * n, u, v)


def _matching(edges: Ints, size: int) -> Ints:
    """The first edges of which no two have an end in common."""
    taken: set[int] = set()
    found: list[tuple[int, int]] = []
    for u, v in edges.tolist():
        if len(found) < size and u not in taken and v not in taken:
            taken |= {u, v}
            found.append((u, v))
    return np.array(found, np.int64).reshape(-1, 2)

"""Graphs without directions by their constructions; vertices count from 0."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.graphs import regular_graphs
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.randomness import samples
from boardsat.generators.randomness.splitmix64 import Stream

EDGE = 150
"""Bytes for every edge and every vertex while it is made."""

SMALLEST_CYCLE = 3


def check_size(vertices: int, edges: int) -> None:
    """Refuse a graph that is too small or too large, before it is made."""
    if vertices < 1:
        raise InputError(
            f"a graph of {pluralize(vertices, 'vertex', 'vertices')}", "give at least 1"
        )
    checkpoint(EDGE * (vertices + edges))


def complete(n: int) -> Graph:
    check_size(n, n * (n - 1) // 2)
    return Graph.from_ends(n, *np.triu_indices(n, 1))


def empty(n: int) -> Graph:
    check_size(n, 0)
    return Graph(n, np.zeros((0, 2), np.int64))


def path(n: int) -> Graph:
    check_size(n, n)
    return Graph.from_ends(n, np.arange(n - 1), np.arange(1, n))


def check_cycle(n: int) -> None:
    """Raise InputError if no cycle has n vertices."""
    if n < SMALLEST_CYCLE:
        fault = f"a cycle of {pluralize(n, 'vertex', 'vertices')}"
        raise InputError(fault, f"give at least {SMALLEST_CYCLE}")


def cycle(n: int) -> Graph:
    check_cycle(n)
    check_size(n, n)
    return Graph.from_ends(n, np.arange(n), np.arange(1, n + 1) % n)


def star(n: int) -> Graph:
    """Vertex 0, and n others that it is joined to."""
    if n < 0:
        raise InputError(f"a star with {pluralize(n, 'ray')}", "give at least 0")
    check_size(n + 1, n)
    return Graph.from_ends(n + 1, np.zeros(n, np.int64), np.arange(1, n + 1))


def grid(*sides: int) -> Graph:
    """A box of any dimension, numbered row by row; neighbours differ by 1 in one coordinate."""
    return _box(sides, wraps=False)


def torus(*sides: int) -> Graph:
    """The same with the last of every side joined to the first, where a side has three or more."""
    return _box(sides, wraps=True)


def _box(sides: tuple[int, ...], wraps: bool) -> Graph:
    if min(sides) < 1:
        raise InputError(f"a side of {min(sides)}", "give at least 1")
    vertices = prod(sides)
    check_size(vertices, vertices * len(sides))
    numbers = np.arange(vertices).reshape(sides)
    ends = []
    for axis, side in enumerate(sides):
        along = np.moveaxis(numbers, axis, 0)
        ends.append((along[:-1].ravel(), along[1:].ravel()))
        if wraps and side >= SMALLEST_CYCLE:
            ends.append((along[-1].ravel(), along[0].ravel()))
    u, v = (np.concatenate(side) for side in zip(*ends, strict=True))
    return Graph.from_ends(vertices, u, v)


def _pairs_of(n: int, edges: int) -> int:
    """How many pairs there are, where so many edges can be made."""
    if not 1 <= n <= MAX_INTEGER:
        raise InputError(f"a graph of {pluralize(n, 'vertex', 'vertices')}", "give at least 1")
    check_size(n, edges)
    return n * (n - 1) // 2


def gnp(n: int, p: Fraction, seed: int) -> Graph:
    """Every pair of vertices is an edge with the same probability."""
    pairs = _pairs_of(n, n * (n - 1) // 2)
    chosen = np.flatnonzero(likely(Stream(seed), pairs, p))
    return _of_ranks(n, chosen)


def likely(stream: Stream, number: int, p: Fraction) -> Ints:
    """For each whether it happens: its word of 64 bits is less than the probability times 2^64."""
    limit = p * 2**64
    words = stream.words(number)
    if limit >= 2**64:
        return np.ones(number, np.int64)
    # Whole numbers are below the limit if they are below what it is rounded up to.
    return (words < np.uint64(-(-limit.numerator // limit.denominator))).astype(np.int64)


def gnm(n: int, m: int, seed: int) -> Graph:
    """m different pairs are edges."""
    pairs = _pairs_of(n, 0)
    if not 0 <= m <= pairs:
        raise InputError(
            f"{pluralize(m, 'edge')} of {pluralize(n, 'vertex', 'vertices')}",
            f"the range is 0 to {pairs}",
        )
    samples.check_memory(m, 2)
    return _of_ranks(n, np.sort(samples.distinct_numbers(Stream(seed), pairs, m)))


def _of_ranks(n: int, ranks: Ints) -> Graph:
    """The pairs at these places in the list (0, 1), (0, 2), ... of all."""
    return Graph(n, samples.subsets_at(n, 2, ranks))


def gnd(n: int, d: int, seed: int) -> Graph:
    """Every vertex has d neighbours; one with most neighbours is what is left out of another."""
    if not 0 <= d < max(n, 1) or n * d % 2:
        fault = f"{pluralize(n, 'vertex', 'vertices')} with {pluralize(d, 'neighbour')} each"
        raise InputError(fault, "give fewer neighbours than vertices, and an even product of both")
    few = min(d, n - 1 - d)
    check_size(n, n * d // 2)
    edges = regular_graphs.regular(Stream(seed), n, few)
    graph = Graph.from_ends(n, edges[:, 0], edges[:, 1])
    return graph if few == d else _others(graph)


def _others(graph: Graph) -> Graph:
    """The graph of all edges that this one does not have."""
    n = graph.vertices
    check_size(n, n * (n - 1) // 2)
    missing = np.triu(np.ones((n, n), np.bool_), 1)
    missing[graph.edges[:, 0], graph.edges[:, 1]] = False
    return Graph(n, np.argwhere(missing))

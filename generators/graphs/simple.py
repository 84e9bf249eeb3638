"""Simple undirected graphs by construction; vertices are numbered from 0."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np

from boardsat.base.errors import InputError, check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Bools, Ints
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.regular_graphs import random_regular_edges
from boardsat.generators.randomness import samples
from boardsat.generators.randomness.splitmix64 import Stream

ELEMENT_BYTES = 150  # memory for each vertex and each edge during construction
MIN_CYCLE_LENGTH = 3


def check_size(vertices: int, edges: int) -> None:
    """Raise LimitError if a graph of this size does not fit in memory."""
    checkpoint(ELEMENT_BYTES * (vertices + edges))


def complete(n: int) -> Graph:
    """Return the complete graph."""
    check_range("n", n, 1)
    check_size(n, n * (n - 1) // 2)
    return Graph.from_ends(n, *np.triu_indices(n, 1))


def empty(n: int) -> Graph:
    """Return the graph without edges."""
    check_range("n", n, 1)
    check_size(n, 0)
    return Graph(n, np.zeros((0, 2), np.int64))


def path(n: int) -> Graph:
    """Return the path of n vertices."""
    check_range("n", n, 1)
    check_size(n, n)
    return Graph.from_ends(n, np.arange(n - 1), np.arange(1, n))


def cycle(n: int) -> Graph:
    """Return the cycle of n vertices."""
    check_range("n", n, MIN_CYCLE_LENGTH)
    check_size(n, n)
    return Graph.from_ends(n, np.arange(n), np.arange(1, n + 1) % n)


def star(n: int) -> Graph:
    """Return the star of n edges, whose centre is vertex 0."""
    check_range("n", n, 0)
    check_size(n + 1, n)
    return Graph.from_ends(n + 1, np.zeros(n, np.int64), np.arange(1, n + 1))


def grid(*sides: int) -> Graph:
    """Return a grid of any dimension, numbered row by row."""
    return _lattice(sides, wraps=False)


def torus(*sides: int) -> Graph:
    """Return a grid whose opposite sides are joined along each axis of three or more vertices."""
    return _lattice(sides, wraps=True)


def _lattice(sides: tuple[int, ...], wraps: bool) -> Graph:
    check_range("each side", min(sides), 1)
    vertices = prod(sides)
    check_size(vertices, vertices * len(sides))
    numbers = np.arange(vertices).reshape(sides)
    ends = []
    for axis, side in enumerate(sides):
        layers = np.moveaxis(numbers, axis, 0)
        ends.append((layers[:-1].ravel(), layers[1:].ravel()))
        if wraps and side >= MIN_CYCLE_LENGTH:
            ends.append((layers[-1].ravel(), layers[0].ravel()))
    u, v = map(np.concatenate, zip(*ends, strict=True))
    return Graph.from_ends(vertices, u, v)


def gnp(n: int, p: Fraction, seed: int) -> Graph:
    """Return a random graph (Gilbert): each pair is an edge with probability p."""
    check_range("n", n, 1)
    pairs = n * (n - 1) // 2
    check_size(n, pairs)
    return _graph_of_ranks(n, np.flatnonzero(bernoulli(Stream(seed), pairs, p)))


def bernoulli(stream: Stream, trials: int, p: Fraction) -> Bools:
    """Draw independent trials: a trial succeeds if its 64-bit word is below p * 2^64."""
    limit = p * 2**64
    draws = stream.words(trials)
    if limit >= 2**64:
        return np.ones(trials, np.bool_)
    # An integer is below the limit if and only if it is below the limit rounded up.
    return draws < np.uint64(-(-limit.numerator // limit.denominator))


def gnm(n: int, m: int, seed: int) -> Graph:
    """Return a random graph (Erdos and Renyi): m distinct pairs are edges."""
    check_range("n", n, 1)
    check_size(n, 0)
    pairs = n * (n - 1) // 2
    check_range("m", m, 0, pairs, f"for n = {n}")
    samples.check_memory(m, 2)
    return _graph_of_ranks(n, np.sort(samples.distinct_numbers(Stream(seed), pairs, m)))


def _graph_of_ranks(n: int, ranks: Ints) -> Graph:
    """Return the graph of the pairs with these indices in the list (0, 1), (0, 2), ..."""
    return Graph(n, samples.subsets_at(n, 2, ranks))


def gnd(n: int, d: int, seed: int) -> Graph:
    """Return a random d-regular graph; a dense one is the complement of a sparse one."""
    check_range("n", n, 1)
    check_range("d", d, 0, n - 1, f"for n = {n}")
    if n * d % 2:
        raise InputError(f"n * d must be even (got n = {n} and d = {d})", f"try d = {d - 1}")
    check_size(n, n * d // 2)
    sparse_degree = min(d, n - 1 - d)
    u, v = random_regular_edges(Stream(seed), n, sparse_degree).T
    graph = Graph.from_ends(n, u, v)
    return graph if sparse_degree == d else _complement(graph)


def _complement(graph: Graph) -> Graph:
    n = graph.vertices
    check_size(n, n * (n - 1) // 2)
    is_missing = np.triu(np.ones((n, n), np.bool_), 1)
    is_missing[tuple(graph.edges.T)] = False
    return Graph(n, np.argwhere(is_missing))

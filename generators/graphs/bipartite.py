"""Bipartite graphs by construction, and the bipartition of any bipartite graph."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from boardsat.base.errors import InputError, check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Ints
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.regular_graphs import random_biregular_edges
from boardsat.generators.graphs.simple import bernoulli, check_size
from boardsat.generators.randomness import samples
from boardsat.generators.randomness.splitmix64 import Stream

REMEDY = "try a graph such as `complete 4 3`"


def _check_sides(num_left: int, num_right: int, edges: int) -> None:
    """Raise an error if a side is empty, or if the graph does not fit in memory."""
    check_range("l", num_left, 1)
    check_range("r", num_right, 1)
    check_size(num_left + num_right, edges)


def bipartite_graph(num_left: int, num_right: int, u: Ints, v: Ints) -> Graph:
    """Return the graph with these edges; the vertices of each side are numbered from 0."""
    return Graph.from_ends(num_left + num_right, u, num_left + v, num_left)


def complete(num_left: int, num_right: int) -> Graph:
    """Return the complete bipartite graph."""
    _check_sides(num_left, num_right, num_left * num_right)
    u, v = np.indices((num_left, num_right)).reshape(2, -1)
    return bipartite_graph(num_left, num_right, u, v)


def empty(num_left: int, num_right: int) -> Graph:
    """Return the bipartite graph without edges."""
    _check_sides(num_left, num_right, 0)
    return bipartite_graph(num_left, num_right, np.zeros(0, np.int64), np.zeros(0, np.int64))


def shift(num_left: int, num_right: int, *offsets: int) -> Graph:
    """Return the graph with an edge from left vertex u to right vertex u + v for each offset v.

    Right vertices are numbered modulo their number.
    """
    _check_sides(num_left, num_right, num_left * len(offsets))
    u, index = np.indices((num_left, len(offsets))).reshape(2, -1)
    return bipartite_graph(num_left, num_right, u, (u + np.array(offsets)[index]) % num_right)


def glrp(num_left: int, num_right: int, p: Fraction, seed: int) -> Graph:
    """Return a random bipartite graph: each pair is an edge with probability p."""
    pairs = num_left * num_right
    _check_sides(num_left, num_right, pairs)
    ranks = np.flatnonzero(bernoulli(Stream(seed), pairs, p))
    return bipartite_graph(num_left, num_right, *np.divmod(ranks, num_right))


def glrm(num_left: int, num_right: int, m: int, seed: int) -> Graph:
    """Return a random bipartite graph: m distinct pairs are edges."""
    _check_sides(num_left, num_right, 0)
    pairs = num_left * num_right
    check_range("m", m, 0, pairs, f"for l = {num_left} and r = {num_right}")
    samples.check_memory(m, 2)
    ranks = samples.distinct_numbers(Stream(seed), pairs, m)
    return bipartite_graph(num_left, num_right, *np.divmod(ranks, num_right))


def glrd(num_left: int, num_right: int, d: int, seed: int) -> Graph:
    """Return a random bipartite graph: each left vertex has d distinct neighbours."""
    _check_sides(num_left, num_right, num_left * max(d, 0))
    check_range("d", d, 0, num_right, f"for r = {num_right}")
    samples.check_memory(num_left, d)
    neighbours = samples.subset_rows(Stream(seed), num_right, d, num_left)
    u = np.repeat(np.arange(num_left), d)
    return bipartite_graph(num_left, num_right, u, neighbours.reshape(-1))


def regular(num_left: int, num_right: int, d: int, seed: int) -> Graph:
    """Return a random biregular graph: d edges at each left vertex, equally many at right ones."""
    _check_sides(num_left, num_right, num_left * max(d, 0))
    check_range("d", d, 0, num_right, f"for r = {num_right}")
    if num_left * d % num_right:
        raise InputError(
            f"l * d must be a multiple of r (got l = {num_left}, d = {d} and r = {num_right})",
            f"try d = {num_right}",
        )
    sparse_degree = min(d, num_right - d)
    u, v = random_biregular_edges(Stream(seed), num_left, num_right, sparse_degree).T
    is_edge = np.zeros((num_left, num_right), np.bool_)
    is_edge[u, v] = True
    ends = np.nonzero(is_edge if sparse_degree == d else ~is_edge)
    return bipartite_graph(num_left, num_right, *ends)


def bipartition(graph: Graph) -> Graph:
    """Return the graph with its vertices renumbered, left ones first.

    The first vertex of each component is on the left. Raise InputError if the graph is directed or
    not bipartite.
    """
    if graph.num_left is not None:
        return graph
    if graph.directed:
        raise InputError("the graph must be undirected, as its kind is bipartite", REMEDY)
    colour = np.array(_two_colouring(graph), np.int64)
    order = np.argsort(colour, kind="stable")
    num_left = int(np.count_nonzero(colour == 0))
    u, v = np.sort(np.argsort(order)[graph.edges], axis=1).T
    names = graph.labels or tuple(str(graph.first + v) for v in range(graph.vertices))
    labels = tuple(names[v] for v in order.tolist())
    split = bipartite_graph(num_left, graph.vertices - num_left, u, v - num_left)
    return replace(split, labels=labels, name=graph.name, sha256=graph.sha256)


def _two_colouring(graph: Graph) -> list[int]:
    """Return a proper colouring by 0 and 1; raise InputError if there is an odd cycle."""
    neighbours: list[list[int]] = [[] for _ in range(graph.vertices)]
    for u, v in graph.edges.tolist():
        neighbours[u].append(v)
        neighbours[v].append(u)
    colour = [-1] * graph.vertices
    for root in range(graph.vertices):
        stack = [root] if colour[root] < 0 else []
        colour[root] = max(colour[root], 0)
        while stack:
            checkpoint()
            u = stack.pop()
            for v in neighbours[u]:
                if colour[v] < 0:
                    colour[v] = 1 - colour[u]
                    stack.append(v)
                elif colour[v] == colour[u]:
                    fault = "the graph has a cycle of odd length, so it is not bipartite"
                    raise InputError(fault, REMEDY)
    return colour

"""Bipartite graphs by their constructions, and the two sides of any graph that has them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints
from boardsat.generators.graphs import regular_graphs
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.simple import check_size, likely
from boardsat.generators.randomness import samples
from boardsat.generators.randomness.splitmix64 import Stream


def _check(left: int, right: int, edges: int) -> None:
    if min(left, right) < 1:
        raise InputError(f"sides of {left} and {right}", "give at least 1 and 1")
    check_size(left + right, edges)


def of_sides(left: int, right: int, u: Ints, v: Ints) -> Graph:
    """Edges between vertices of the left and of the right side, each counted from 0."""
    return Graph.from_ends(left + right, u, left + v, left)


def complete(left: int, right: int) -> Graph:
    _check(left, right, left * right)
    u, v = np.indices((left, right)).reshape(2, -1)
    return of_sides(left, right, u, v)


def empty(left: int, right: int) -> Graph:
    _check(left, right, 0)
    return of_sides(left, right, np.zeros(0, np.int64), np.zeros(0, np.int64))


def shift(left: int, right: int, *offsets: int) -> Graph:
    """Left vertex u is joined to u + v for every offset v, counted around the right side."""
    _check(left, right, left * len(offsets))
    u, place = np.indices((left, len(offsets))).reshape(2, -1)
    return of_sides(left, right, u, (u + np.array(offsets)[place]) % right)


def glrp(left: int, right: int, p: Fraction, seed: int) -> Graph:
    """Every pair of a left and a right vertex is an edge with the same probability."""
    _check(left, right, left * right)
    chosen = np.flatnonzero(likely(Stream(seed), left * right, p))
    return of_sides(left, right, *np.divmod(chosen, right))


def glrm(left: int, right: int, m: int, seed: int) -> Graph:
    """m different pairs are edges."""
    _check(left, right, 0)
    if not 0 <= m <= left * right:
        raise InputError(pluralize(m, "edge"), f"the range is 0 to {left * right}")
    samples.check_memory(m, 2)
    chosen = samples.distinct_numbers(Stream(seed), left * right, m)
    return of_sides(left, right, *np.divmod(chosen, right))


def glrd(left: int, right: int, d: int, seed: int) -> Graph:
    """Every left vertex has d random neighbours."""
    _check(left, right, left * max(d, 0))
    samples.check_subsets(right, d)
    samples.check_memory(left, d)
    rows = samples.subset_rows(Stream(seed), right, d, left)
    return of_sides(left, right, np.repeat(np.arange(left), d), rows.reshape(-1))


def regular(left: int, right: int, d: int, seed: int) -> Graph:
    """Every left vertex has d neighbours, and all right ones have equally many."""
    _check(left, right, left * max(d, 0))
    if not 0 <= d <= right or left * d % right:
        fault = f"{left} left vertices with {pluralize(d, 'neighbour')} each, {right} right ones"
        raise InputError(fault, "give numbers with which the right ones have equally many")
    few = min(d, right - d)
    edges = regular_graphs.bipartite(Stream(seed), left, right, few)
    joined = np.zeros((left, right), np.bool_)
    joined[edges[:, 0], edges[:, 1]] = True
    return of_sides(left, right, *np.nonzero(joined if few == d else ~joined))


def sided(graph: Graph) -> Graph:
    """A graph without directions whose vertices are coloured with two colours, left ones first.

    In every connected part, the vertex that comes first is on the left.
    """
    if graph.left is not None:
        return graph
    if graph.directed:
        raise InputError("a graph with directions has no two sides", "give one without")
    side = np.array(_colours(graph), np.int64)
    number = np.argsort(np.argsort(side, kind="stable"))
    left = int(np.count_nonzero(side == 0))
    ends = np.sort(number[graph.edges], axis=1)
    names = graph.labels or tuple(str(graph.first + v) for v in range(graph.vertices))
    labels = tuple(names[v] for v in np.argsort(side, kind="stable").tolist())
    split = of_sides(left, graph.vertices - left, ends[:, 0], ends[:, 1] - left)
    return replace(split, labels=labels, name=graph.name, sha256=graph.sha256)


def _colours(graph: Graph) -> list[int]:
    near: list[list[int]] = [[] for _ in range(graph.vertices)]
    for u, v in graph.edges.tolist():
        near[u].append(v)
        near[v].append(u)
    side = [-1] * graph.vertices
    for first in range(graph.vertices):
        ahead = [first] if side[first] < 0 else []
        side[first] = max(side[first], 0)
        while ahead:
            checkpoint()
            u = ahead.pop()
            for v in near[u]:
                if side[v] < 0:
                    side[v] = 1 - side[u]
                    ahead.append(v)
                elif side[v] == side[u]:
                    raise InputError(
                        "the graph has a cycle of odd length, so no two sides",
                        "give a bipartite graph",
                    )
    return side

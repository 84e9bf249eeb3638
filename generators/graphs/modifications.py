"""Modifications of graphs: added edges and planted subgraphs, and gadgets for hard instances."""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import check_range
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.simple import MIN_CYCLE_LENGTH, check_size
from boardsat.generators.randomness import samples
from boardsat.generators.randomness.splitmix64 import Stream

LADDER_RUNGS = 4
CUBIC_DEGREE = 3

_FRAGMENT_NEIGHBOURS: tuple[tuple[int, ...], ...] = (
    (3, 7),
    (4, 8),
    (5, 8),
    (4, 14),
    (10,),
    (6, 13),
    (7, 12),
    (14,),
    (9,),
    (10, 13),
    (11,),
    (12, 14),
    (13,),
)
FRAGMENT = np.array([(u, v) for u, ends in enumerate(_FRAGMENT_NEIGHBOURS) for v in ends])
"""Edges of Tutte's fragment; its vertices 0, 1 and 2 have a third edge to the outside."""


def _with_edges(graph: Graph, *edges: Ints, new_vertices: int = 0) -> Graph:
    """Return the graph with its edges replaced by these, and with additional vertices."""
    u, v = np.concatenate(edges).T
    return Graph.from_ends(graph.vertices + new_vertices, u, v, graph.num_left)


def addedges(graph: Graph, m: int, seed: int) -> Graph:
    """Add m random edges that the graph does not have."""
    u, v = graph.edges.T
    n, num_left = graph.vertices, graph.num_left
    if num_left is None:
        pairs, ranks = n * (n - 1) // 2, u * (2 * n - u - 1) // 2 + v - u - 1
    else:
        num_right = n - num_left
        pairs, ranks = num_left * num_right, u * num_right + v - num_left
    missing = pairs - len(ranks)
    check_range("m", m, 0, missing, f"for {missing} missing edges")
    check_size(n, len(ranks) + m)
    samples.check_memory(m, 2)
    indices = samples.distinct_numbers(Stream(seed), missing, m)
    # The rank of a missing pair is its index plus the number of edges of smaller rank.
    new_ranks = indices + np.searchsorted(ranks - np.arange(len(ranks)), indices, side="right")
    if num_left is None:
        return _with_edges(graph, graph.edges, samples.subsets_at(n, 2, new_ranks))
    ends = new_ranks // num_right, num_left + new_ranks % num_right
    return _with_edges(graph, graph.edges, np.column_stack(ends))


def plantclique(graph: Graph, k: int, seed: int) -> Graph:
    """Add all edges between k random vertices."""
    n = graph.vertices
    check_range("k", k, 0, n, f"for {n} vertices")
    check_size(n, len(graph.edges) + k * k)
    (clique,) = samples.subset_rows(Stream(seed), n, k, 1)
    return _with_edges(graph, graph.edges, clique[np.column_stack(np.triu_indices(k, 1))])


def plantbiclique(graph: Graph, a: int, b: int, seed: int) -> Graph:
    """Add all edges between a random left vertices and b random right vertices."""
    assert graph.num_left is not None
    num_left, num_right = graph.num_left, graph.vertices - graph.num_left
    check_range("a", a, 0, num_left, f"for {num_left} left vertices")
    check_range("b", b, 0, num_right, f"for {num_right} right vertices")
    check_size(graph.vertices, len(graph.edges) + a * b)
    stream = Stream(seed)
    (left_vertices,) = samples.subset_rows(stream, num_left, a, 1)
    (right_vertices,) = samples.subset_rows(stream, num_right, b, 1)
    biclique = np.column_stack([np.repeat(left_vertices, b), num_left + np.tile(right_vertices, a)])
    return _with_edges(graph, graph.edges, biclique)


def splitedges(graph: Graph, k: int, seed: int) -> Graph:
    """Subdivide k random edges by new vertices, which come after the others."""
    n, edges = graph.vertices, graph.edges
    check_range("k", k, 0, len(edges), f"for {pluralize(len(edges), 'edge')}")
    check_size(n + k, len(edges) + k)
    samples.check_memory(k, 2)
    split = np.sort(samples.distinct_numbers(Stream(seed), len(edges), k))
    middle = n + np.arange(k)
    halves = [np.column_stack([edges[split, end], middle]) for end in range(2)]
    return _with_edges(graph, np.delete(edges, split, axis=0), *halves, new_vertices=k)


def plantcycle(graph: Graph, seed: int) -> Graph:
    """Add the edges of a Hamiltonian cycle through the vertices in random order."""
    n = graph.vertices
    check_range("the number of vertices", n, MIN_CYCLE_LENGTH)
    check_size(n, len(graph.edges) + n)
    order = Stream(seed).order(n)
    return _with_edges(graph, graph.edges, np.column_stack([order, np.roll(order, -1)]))


def ring(graph: Graph, m: int) -> Graph:
    """Return m copies in a ring: the first edge of each is replaced by edges to the next copies.

    A Hamiltonian cycle of the ring consists of Hamiltonian cycles of all copies through their first
    edges, without these edges.
    """
    n, edges = graph.vertices, graph.edges
    check_range("m", m, 1)
    check_range("the number of edges", len(edges), 1)
    check_size(m * n, m * len(edges))
    copies = n * np.arange(m)
    first, last = edges[0]
    inner = (edges[1:] + copies[:, None, None]).reshape(-1, 2)
    between = np.column_stack([last + copies, first + np.roll(copies, -1)])
    return _with_edges(graph, inner, between, new_vertices=(m - 1) * n)


def xor(graph: Graph, k: int, seed: int) -> Graph:
    """Join k random pairs of edges by XOR gadgets: a Hamiltonian cycle uses one edge of each pair.

    Both edges become paths of four new vertices, which are joined by four rungs, each with a middle
    vertex of degree 2. So a cycle uses all rungs, and traverses the ladder from one end of an edge
    to the other (Papadimitriou and Steiglitz 1982, figure 15-7).
    """
    n, edges = graph.vertices, graph.edges
    check_range("k", k, 0, len(edges) // 2, f"for {pluralize(len(edges), 'edge')}")
    size = 3 * LADDER_RUNGS
    check_size(n + size * k, len(edges) + 2 * size * k)
    samples.check_memory(2 * k, 2)
    joined = samples.distinct_numbers(Stream(seed), len(edges), 2 * k)
    ladders = n + np.arange(size * k).reshape(k, 3, LADDER_RUNGS)
    sides, middles = ladders[:, ::2], ladders[:, 1]
    new_edges = [np.delete(edges, joined, axis=0)]
    for path, ends in zip(
        sides.swapaxes(0, 1), edges[joined].reshape(k, 2, 2).swapaxes(0, 1), strict=True
    ):
        new_edges += [
            np.column_stack([ends[:, 0], path[:, 0]]),
            np.column_stack([ends[:, 1], path[:, -1]]),
            np.column_stack([path[:, :-1].ravel(), path[:, 1:].ravel()]),
            np.column_stack([path.ravel(), middles.ravel()]),
        ]
    return _with_edges(graph, *new_edges, new_vertices=size * k)


def tutte(graph: Graph, k: int, seed: int) -> Graph:
    """Replace k random vertices of degree 3 by Tutte's fragments of 15 vertices.

    A Hamiltonian cycle must use the outer edge at vertex 0 of a fragment (Tutte 1946). That is a
    random one of the three edges of the replaced vertex, whose number vertex 0 has; the 14 others
    are new.
    """
    n, degree = graph.vertices, np.bincount(graph.edges.ravel(), minlength=graph.vertices)
    cubic = np.flatnonzero(degree == CUBIC_DEGREE)
    vertices = pluralize(len(cubic), "vertex", "vertices")
    check_range("k", k, 0, len(cubic), f"for {vertices} of degree {CUBIC_DEGREE}")
    size = int(FRAGMENT.max())
    check_size(n + size * k, len(graph.edges) + len(FRAGMENT) * k)
    samples.check_memory(k, 2)
    checkpoint()
    stream = Stream(seed)
    replaced = cubic[samples.distinct_numbers(stream, len(cubic), k)]
    ends = graph.edges.ravel().copy()
    half_edges = np.argsort(ends, kind="stable")
    starts = np.concatenate([[0], np.cumsum(degree)])
    fragments = np.column_stack([replaced, n + np.arange(size * k).reshape(k, size)])
    for vertex, fragment in zip(replaced.tolist(), fragments, strict=True):
        outer = half_edges[starts[vertex] : starts[vertex] + CUBIC_DEGREE]
        ends[outer[stream.order(CUBIC_DEGREE)]] = fragment[:CUBIC_DEGREE]
    inner = fragments[:, FRAGMENT].reshape(-1, 2)
    return _with_edges(graph, ends.reshape(-1, 2), inner, new_vertices=size * k)

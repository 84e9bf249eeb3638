"""Modifications of graphs: added edges and planted subgraphs, and gadgets for hard instances."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.simple import check_cycle, check_size
from boardsat.generators.randomness import samples
from boardsat.generators.randomness.splitmix64 import Stream


def addedges(graph: Graph, m: int, seed: int) -> Graph:
    """m more edges, which the graph does not have."""
    u, v = graph.edges.T
    n, left = graph.vertices, graph.left
    pairs = n * (n - 1) // 2 if left is None else left * (n - left)
    if not 0 <= m <= pairs - len(u):
        fault = f"{pluralize(m, 'edge')} more, of {pairs - len(u):,} that are missing"
        raise InputError(fault, "give at least 0, and no more than that")
    check_size(n, len(u) + m)
    samples.check_memory(m, 2)
    taken = u * (2 * n - u - 1) // 2 + v - u - 1 if left is None else u * (n - left) + v - left
    chosen = samples.distinct_numbers(Stream(seed), pairs - len(u), m)
    # The r-th pair that is missing comes after as many that are there.
    ranks = chosen + np.searchsorted(taken - np.arange(len(taken)), chosen, side="right")
    more = (
        samples.subsets_at(n, 2, ranks)
        if left is None
        else np.column_stack([ranks // (n - left), left + ranks % (n - left)])
    )
    return with_edges(graph, np.concatenate([graph.edges, more]))


def plantclique(graph: Graph, k: int, seed: int) -> Graph:
    """All edges between k random vertices."""
    samples.check_subsets(graph.vertices, k)
    check_size(graph.vertices, len(graph.edges) + k * k)
    (clique,) = samples.subset_rows(Stream(seed), graph.vertices, k, 1)
    places = np.column_stack(np.triu_indices(k, 1))
    return with_edges(graph, np.concatenate([graph.edges, clique[places]]))


def plantbiclique(graph: Graph, a: int, b: int, seed: int) -> Graph:
    """All edges between a random vertices of the left side and b of the right."""
    assert graph.left is not None
    right = graph.vertices - graph.left
    for size, k in ((graph.left, a), (right, b)):
        samples.check_subsets(size, k)
    check_size(graph.vertices, len(graph.edges) + a * b)
    stream = Stream(seed)
    (on_left,) = samples.subset_rows(stream, graph.left, a, 1)
    (on_right,) = samples.subset_rows(stream, right, b, 1)
    more = np.column_stack([np.repeat(on_left, b), graph.left + np.tile(on_right, a)])
    return with_edges(graph, np.concatenate([graph.edges, more]))


def splitedges(graph: Graph, k: int, seed: int) -> Graph:
    """A new vertex on each of k random edges; new ones come after the others."""
    edges = graph.edges
    most = len(edges)
    if not 0 <= k <= most:
        raise InputError(f"{pluralize(k, 'edge')} of {most:,}", f"the range is 0 to {most}")
    check_size(graph.vertices + k, len(edges) + k)
    samples.check_memory(k, 2)
    chosen = np.sort(samples.distinct_numbers(Stream(seed), len(edges), k))
    between = graph.vertices + np.arange(k)
    halves = [np.column_stack([edges[chosen, end], between]) for end in range(2)]
    larger = replace(graph, vertices=graph.vertices + k)
    return with_edges(larger, np.concatenate([np.delete(edges, chosen, axis=0), *halves]))


def with_edges(graph: Graph, edges: Ints) -> Graph:
    """The graph with these edges, each once."""
    u, v = edges.T
    return Graph.from_ends(graph.vertices, u, v, graph.left)


RUNGS = 4
"""Two edges become the sides of a ladder with so many rungs."""

CUBIC = 3
"""Neighbours of a vertex that a fragment replaces."""

# Between vertices 0 to 14, of which 0, 1 and 2 have a third edge, to the outside.
_NEIGHBOURS: tuple[tuple[int, ...], ...] = (
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
)
_NEIGHBOURS += ((11,), (12, 14), (13,))
FRAGMENT = np.array([(u, v) for u, ends in enumerate(_NEIGHBOURS) for v in ends])


def plantcycle(graph: Graph, seed: int) -> Graph:
    """All edges of a cycle through all vertices in a random order."""
    n = graph.vertices
    check_cycle(n)
    check_size(n, len(graph.edges) + n)
    order = Stream(seed).order(n)
    cycle = np.column_stack([order, np.roll(order, -1)])
    return with_edges(graph, np.concatenate([graph.edges, cycle]))


def ring(graph: Graph, m: int) -> Graph:
    """m copies, in each of which the first edge is cut; its ends are joined to the next copies'.

    A Hamiltonian cycle of the ring is one of every copy that takes that edge.
    """
    n, edges = graph.vertices, graph.edges
    if m < 1 or not len(edges):
        fault = f"a ring of {pluralize(m, 'copy', 'copies')} with {pluralize(len(edges), 'edge')}"
        raise InputError(fault, "give at least 1 of each")
    check_size(m * n, m * len(edges))
    copies = n * np.arange(m)
    first, last = edges[0]
    inner = (edges[1:] + copies[:, None, None]).reshape(-1, 2)
    between = np.column_stack([last + copies, first + np.roll(copies, -1)])
    larger = replace(graph, vertices=m * n)
    return with_edges(larger, np.concatenate([inner, between]))


def xor(graph: Graph, k: int, seed: int) -> Graph:
    """k random pairs of edges, of each of which a Hamiltonian cycle takes exactly one.

    Both become paths of four more vertices, with four rungs between them, each with a vertex of its
    own. That vertex has no other edges, so a cycle takes all rungs; and then the whole ladder on
    its way along one of the paths, or parts of it are cycles themselves (Papadimitriou and
    Steiglitz 1982, figure 15-7).
    """
    n, edges = graph.vertices, graph.edges
    if not 0 <= k <= len(edges) // 2:
        fault = f"{pluralize(k, 'pair')} of {pluralize(len(edges), 'edge')}"
        raise InputError(fault, f"the range is 0 to {len(edges) // 2}")
    more = 3 * RUNGS
    check_size(n + more * k, len(edges) + 2 * more * k)
    samples.check_memory(2 * k, 2)
    chosen = samples.distinct_numbers(Stream(seed), len(edges), 2 * k)
    # Of every ladder: one path, the middle of its rungs, the other path.
    ladder = n + np.arange(more * k).reshape(k, 3, RUNGS)
    one, middle, other = ladder[:, 0], ladder[:, 1], ladder[:, 2]
    parts = [np.delete(edges, chosen, axis=0)]
    for path, ends in zip((one, other), edges[chosen].reshape(k, 2, 2).swapaxes(0, 1), strict=True):
        parts += [
            np.column_stack([ends[:, 0], path[:, 0]]),
            np.column_stack([ends[:, 1], path[:, -1]]),
            np.column_stack([path[:, :-1].ravel(), path[:, 1:].ravel()]),
            np.column_stack([path.ravel(), middle.ravel()]),
        ]
    return with_edges(replace(graph, vertices=n + more * k), np.concatenate(parts))


def tutte(graph: Graph, k: int, seed: int) -> Graph:
    """k random vertices with three neighbours become Tutte's fragments of 15 vertices.

    A Hamiltonian cycle takes the edge to the outside that stays at the vertex: one of its three, by
    chance (Tutte 1946). The other 14 vertices come after all that there are.
    """
    n, degree = graph.vertices, np.bincount(graph.edges.ravel(), minlength=graph.vertices)
    cubic = np.flatnonzero(degree == CUBIC)
    if not 0 <= k <= len(cubic):
        fault = f"{pluralize(k, 'fragment')} for {pluralize(len(cubic), 'vertex', 'vertices')}"
        raise InputError(f"{fault} with {CUBIC} neighbours", f"the range is 0 to {len(cubic)}")
    size = int(FRAGMENT.max())
    check_size(n + size * k, len(graph.edges) + len(FRAGMENT) * k)
    samples.check_memory(k, 2)
    checkpoint()
    stream = Stream(seed)
    chosen = cubic[samples.distinct_numbers(stream, len(cubic), k)]
    edges = graph.edges.copy()
    at = np.argsort(edges.ravel(), kind="stable")
    starts = np.concatenate([[0], np.cumsum(degree)])
    inner = np.column_stack([chosen, n + np.arange(size * k).reshape(k, size)])
    for vertex, fragment in zip(chosen.tolist(), inner, strict=True):
        ends = at[starts[vertex] : starts[vertex] + CUBIC][stream.order(CUBIC)]
        edges.ravel()[ends] = fragment[:CUBIC]
    more = inner[:, FRAGMENT].reshape(-1, 2)
    larger = replace(graph, vertices=n + size * k)
    return with_edges(larger, np.concatenate([edges, more]))

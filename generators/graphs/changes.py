"""Changes of a graph by construction, at random by a seed: edges added, split, or a clique's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints
from boardsat.generators.boards._graph_files.graph import Graph
from boardsat.generators.graphs.bipartite import of_sides
from boardsat.generators.graphs.simple import check_size, of_pairs
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
    flat = np.unique(edges[:, 0] * graph.vertices + edges[:, 1])
    u, v = np.divmod(flat, graph.vertices)
    if graph.left is None:
        return of_pairs(graph.vertices, u, v)
    return of_sides(graph.left, graph.vertices - graph.left, u, v - graph.left)

"""Cubic graphs, and the planar triangulations whose duals are cubic.

The graphs are instances for Hamiltonian cycles: generalized Petersen graphs, flower snarks, random
graphs with small cuts, and random planar graphs.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError, check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Ints
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.regular_graphs import random_regular_edges
from boardsat.generators.graphs.simple import MIN_CYCLE_LENGTH, check_size
from boardsat.generators.randomness.splitmix64 import Stream

MIN_VERTICES = 4  # the smallest cubic graph, and triangulation, is K4
MIN_VERTICES_WITH_CUTS = 8  # from here on a greedy matching has at least two edges
FLIPS_PER_EDGE = 10
EDGE_BYTES = 400  # memory for each edge of a triangulation

Apexes = dict[tuple[int, int], int]
"""Third vertex of the triangle to the left of each half-edge of a triangulation."""


def check_even_order(n: int, minimum: int = MIN_VERTICES) -> None:
    """Raise InputError unless n is even and at least the minimum, the order of a cubic graph."""
    if n < minimum or n % 2:
        fault = f"n must be an even number of at least {minimum} (got {n})"
        raise InputError(fault, f"try {max(minimum, n + 1)}")


def petersen(n: int, k: int) -> Graph:
    """Return the generalized Petersen graph GP(n, k).

    Outer vertices 0..n-1 form a cycle; outer vertex i is joined to inner vertex n + i, and this to
    n + (i + k) mod n. The graph has no Hamiltonian cycle if and only if n is 5 modulo 6, and k is 2
    or (n - 1) / 2 (Alspach 1983).
    """
    check_range("n", n, MIN_CYCLE_LENGTH)
    check_range("k", k, 1, (n - 1) // 2, f"for n = {n}")
    check_size(2 * n, 3 * n)
    i = np.arange(n)
    ends = np.concatenate([(i + 1) % n, i + n, (i + k) % n + n])
    return Graph.from_ends(2 * n, np.concatenate([i, i, i + n]), ends)


def flower(k: int) -> Graph:
    """Return k stars in a ring, whose leaves form a cycle of length k and one of length 2k.

    Star i has its centre i and the leaves k + i on the short cycle, 2k + i and 3k + i on the long
    one. For an odd k of at least 5 this is a flower snark (Isaacs 1975): it has no 3-edge-colouring
    and no Hamiltonian cycle.
    """
    check_range("k", k, MIN_CYCLE_LENGTH)
    check_size(4 * k, 6 * k)
    short, long = np.arange(k), np.arange(2 * k)
    u = np.concatenate([np.tile(short, 3), k + short, 2 * k + long])
    v = np.concatenate([k + np.arange(3 * k), k + (short + 1) % k, 2 * k + (long + 1) % (2 * k)])
    return Graph.from_ends(4 * k, u, v)


def cubiccuts(m: int, n: int, c: int, seed: int) -> Graph:
    """Return a row of m random cubic graphs of n vertices, each joined to the next by 2c edges.

    For this, c edges of a graph and c edges of the next one exchange an end, so that all degrees
    remain 3.
    """
    check_range("m", m, 1)
    check_even_order(n, MIN_VERTICES_WITH_CUTS)
    # Each edge of a greedy matching blocks at most four others.
    matching_edges = 3 * n // 10
    check_range("c", c, 1, matching_edges // 2, f"for n = {n}")
    check_size(m * n, 3 * m * n // 2)
    stream = Stream(seed)
    inner, matchings = [], []
    for index in range(m):
        edges = random_regular_edges(stream, n, 3)
        checkpoint()
        matching = _greedy_matching(edges[stream.order(len(edges))], 2 * c)
        # The first graph of the row has no predecessor, the last one no successor.
        cut = matching[c * (index == 0) : 2 * c - c * (index == m - 1)]
        is_cut = np.isin(edges @ (n, 1), cut @ (n, 1))
        inner.append(edges[~is_cut] + index * n)
        matchings.append(matching + index * n)
    between = np.zeros((0, 2), np.int64)
    if m > 1:
        outgoing, incoming = np.array(matchings[:-1])[:, c:], np.array(matchings[1:])[:, :c]
        between = np.column_stack([outgoing.ravel(), incoming.ravel()])
    return Graph.from_ends(m * n, *np.concatenate([*inner, between]).T)


def _greedy_matching(edges: Ints, size: int) -> Ints:
    """Return a greedy matching of `size` edges, which are tried in the given order."""
    covered: set[int] = set()
    matching: list[tuple[int, int]] = []
    for u, v in edges.tolist():
        if len(matching) < size and u not in covered and v not in covered:
            covered |= {u, v}
            matching.append((u, v))
    return np.array(matching, np.int64).reshape(-1, 2)


def triangulation(n: int, seed: int) -> Graph:
    """Return a random maximal planar graph of n vertices: all its faces are triangles."""
    check_range("n", n, MIN_VERTICES)
    u, v = np.array([edge for edge in _random_triangles(n, seed) if edge[0] < edge[1]]).T
    return Graph.from_ends(n, u, v)


def cubicplanar(n: int, seed: int) -> Graph:
    """Return the dual graph of a random triangulation with n faces."""
    check_even_order(n)
    apexes = _random_triangles(n // 2 + 2, seed)
    numbers: dict[tuple[int, int, int], int] = {}

    def face(u: int, v: int) -> int:
        """Return the number of the face to the left of a half-edge."""
        w = apexes[u, v]
        key = min(((u, v, w), (v, w, u), (w, u, v)))
        return numbers.setdefault(key, len(numbers))

    pairs = [(face(u, v), face(v, u)) for u, v in sorted(apexes) if u < v]
    return Graph.from_ends(n, *np.array(pairs, np.int64).T)


def _random_triangles(n: int, seed: int) -> Apexes:
    """Return a random triangulation of n vertices.

    From vertex 3 on, each vertex is inserted into a random triangle; then random edges are flipped.
    Every triangulation has a positive probability, but not all are equally likely.
    """
    check_size(n, 3 * n)
    checkpoint(EDGE_BYTES * 3 * n)
    stream = Stream(seed)
    faces = [(0, 1, 2), (0, 2, 1)]
    for vertex in range(3, n):
        checkpoint()
        index = int(stream.below(len(faces), 1)[0])
        a, b, c = faces[index]
        faces[index] = (a, b, vertex)
        faces += [(b, c, vertex), (c, a, vertex)]
    apexes = {edge: w for a, b, c in faces for edge, w in (((a, b), c), ((b, c), a), ((c, a), b))}
    edges = sorted(edge for edge in apexes if edge[0] < edge[1])
    for index in stream.below(len(edges), FLIPS_PER_EDGE * len(edges)).tolist():
        checkpoint()
        edges[index] = _flip(apexes, *edges[index])
    return apexes


def _flip(apexes: Apexes, u: int, v: int) -> tuple[int, int]:
    """Replace an edge by the other diagonal of its two triangles, unless that is an edge already.

    Return the edge that is present then.
    """
    w, x = apexes[u, v], apexes[v, u]
    if (w, x) in apexes:
        return u, v
    del apexes[u, v], apexes[v, u]
    apexes[x, v], apexes[v, w], apexes[w, x] = w, x, v
    apexes[w, u], apexes[u, x], apexes[x, w] = x, w, u
    return w, x

"""Random planar graphs: triangulations, and the cubic graphs that are dual to them."""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import check_range
from boardsat.base.limits import checkpoint
from boardsat.generators.graphs.cubic import check_even_order
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.simple import check_size
from boardsat.generators.randomness.splitmix64 import Stream

MIN_VERTICES = 4  # from here on every triangulation is 3-connected, and its dual simple
FLIPS_PER_EDGE = 10
EDGE_BYTES = 400  # memory for each edge

Apexes = dict[tuple[int, int], int]
"""Third vertex of the triangle to the left of each half-edge."""


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

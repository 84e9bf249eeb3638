"""Random planar graphs: triangulations, and the cubic graphs that are dual to them."""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.simple import check_size
from boardsat.generators.randomness.splitmix64 import Stream

SMALLEST = 4
"""Vertices from which on every triangulation is 3-connected, and its dual a simple graph."""

FLIPS = 10
"""Tries to flip an edge, for every edge that there is."""

EDGE_BYTES = 400

Sides = dict[tuple[int, int], int]
"""For every edge in both directions, the third vertex of the triangle to its left."""


def triangulation(n: int, seed: int) -> Graph:
    """A planar graph of n vertices with as many edges as there can be: all faces are triangles."""
    if n < SMALLEST:
        fault = f"a triangulation of {pluralize(n, 'vertex', 'vertices')}"
        raise InputError(fault, f"give at least {SMALLEST}")
    u, v = np.array([edge for edge in _triangles(n, seed) if edge[0] < edge[1]]).T
    return Graph.from_ends(n, u, v)


def cubicplanar(n: int, seed: int) -> Graph:
    """The dual of such a triangulation: n triangles, each joined to the three beside it."""
    if n < SMALLEST or n % 2:
        fault = f"a cubic planar graph of {pluralize(n, 'vertex', 'vertices')}"
        raise InputError(fault, f"give an even number, {SMALLEST} or more")
    sides = _triangles(n // 2 + 2, seed)
    numbers: dict[tuple[int, int, int], int] = {}

    def face(u: int, v: int) -> int:
        """Triangles are numbered in the order of their vertices, the least one first."""
        w = sides[u, v]
        first = min(((u, v, w), (v, w, u), (w, u, v)))
        return numbers.setdefault(first, len(numbers))

    pairs = [(face(u, v), face(v, u)) for u, v in sorted(sides) if u < v]
    return Graph.from_ends(n, *np.array(pairs, np.int64).T)


def _triangles(n: int, seed: int) -> Sides:
    """From vertex 3 on each is put into a random triangle; then random edges are flipped.

    An edge between two triangles that is flipped joins their other two vertices, if they are not
    joined yet. All triangulations can come out, though not all of them equally likely.
    """
    check_size(n, 3 * n)
    checkpoint(EDGE_BYTES * 3 * n)
    stream = Stream(seed)
    faces = [(0, 1, 2), (0, 2, 1)]
    for vertex in range(3, n):
        checkpoint()
        place = int(stream.below(len(faces), 1)[0])
        a, b, c = faces[place]
        faces[place] = (a, b, vertex)
        faces += [(b, c, vertex), (c, a, vertex)]
    sides = {edge: w for a, b, c in faces for edge, w in (((a, b), c), ((b, c), a), ((c, a), b))}
    edges = sorted(edge for edge in sides if edge[0] < edge[1])
    for place in stream.below(len(edges), FLIPS * len(edges)).tolist():
        checkpoint()
        edges[place] = _flipped(sides, *edges[place])
    return sides


def _flipped(sides: Sides, u: int, v: int) -> tuple[int, int]:
    """The edge in place of this one: the same if the other one is there already."""
    w, x = sides[u, v], sides[v, u]
    if (w, x) in sides:
        return u, v
    del sides[u, v], sides[v, u]
    sides[x, v], sides[v, w], sides[w, x] = w, x, v
    sides[w, u], sides[u, x], sides[x, w] = x, w, u
    return w, x

"""Directed acyclic graphs for pebbling formulas, by construction.

Vertices are numbered from 0 in topological order, as in CNFgen.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import check_range
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.simple import check_size

MAX_HEIGHT = 40  # a tree of this height does not fit in any memory


def path(length: int) -> Graph:
    """Return the path with this number of arcs."""
    check_range("length", length, 0)
    check_size(length + 1, length)
    return Graph.from_ends(length + 1, np.arange(length), np.arange(1, length + 1), directed=True)


def tree(height: int) -> Graph:
    """Return a complete binary tree whose arcs lead from the leaves to the root."""
    check_range("height", height, 0)
    num_leaves = 2 ** min(height, MAX_HEIGHT)
    vertices = 2 * num_leaves - 1
    check_size(vertices, vertices)
    sources = np.arange(vertices - 1)
    return Graph.from_ends(vertices, sources, num_leaves + sources // 2, directed=True)


def pyramid(height: int) -> Graph:
    """Return a pyramid, whose layers have height + 1, height, ..., 1 vertices.

    Every two neighbours in a layer have arcs to the vertex between them in the next layer.
    """
    check_range("height", height, 0)
    vertices = (height + 1) * (height + 2) // 2
    check_size(vertices, 2 * vertices)
    sizes = np.arange(height + 1, 0, -1)
    layer = np.repeat(np.arange(height + 1), sizes)
    # Each vertex of a layer but the last one is the left predecessor of a vertex.
    last = np.cumsum(sizes) - 1
    lower = np.setdiff1d(np.arange(vertices), last, assume_unique=True)
    upper = lower + sizes[layer[lower]]
    sources, targets = np.concatenate([lower, lower + 1]), np.concatenate([upper, upper])
    return Graph.from_ends(vertices, sources, targets, directed=True)

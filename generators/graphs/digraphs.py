"""Graphs with directions by their constructions, as pebbling formulas take them: no arc leads back.

Vertices count from 0, each after those from which arcs lead to it, as in CNFgen.
"""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.graphs.simple import check_size

HIGHEST = 40
"""A tree of this height has more vertices than anything can hold."""


def path(length: int) -> Graph:
    """So many arcs, one after the other."""
    _check(length)
    check_size(length + 1, length)
    return Graph.from_ends(length + 1, np.arange(length), np.arange(1, length + 1), directed=True)


def tree(height: int) -> Graph:
    """A binary tree whose arcs lead from the leaves to the root."""
    _check(height)
    vertices = 2 ** (min(height, HIGHEST) + 1) - 1
    check_size(vertices, vertices)
    sources = np.arange(vertices - 1)
    return Graph.from_ends(
        vertices, sources, 2 ** min(height, HIGHEST) + sources // 2, directed=True
    )


def pyramid(height: int) -> Graph:
    """Layers from height + 1 vertices down to one, each above two neighbours of the layer below."""
    _check(height)
    vertices = (height + 1) * (height + 2) // 2
    check_size(vertices, 2 * vertices)
    sizes = np.arange(height + 1, 0, -1)
    layer = np.repeat(np.arange(height + 1), sizes)
    # Without its last vertex, every layer is below the next one, vertex by vertex.
    last = np.cumsum(sizes) - 1
    left = np.setdiff1d(np.arange(vertices), last, assume_unique=True)
    above = left + sizes[layer[left]]
    sources, targets = np.concatenate([left, left + 1]), np.concatenate([above, above])
    return Graph.from_ends(vertices, sources, targets, directed=True)


def _check(size: int) -> None:
    if size < 0:
        raise InputError(f"a size of {size}", "give at least 0")

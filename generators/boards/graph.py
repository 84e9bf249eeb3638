"""Any graph from a file: its vertices are the cells, its edges or arcs the moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board, neighbours_from
from boardsat.generators.boards._graph_files import Graph
from boardsat.generators.language.values import TupleSet, Value

PLACE, EDGE = 100, 300
"""Bytes for every vertex, and for every edge with its word in a header."""

OPTIONS = {"file": Graph}


def build(file: Graph) -> Board:
    checkpoint(file.vertices * PLACE + len(file.edges) * EDGE)
    u, v = file.edges.T
    if not file.directed:
        u, v = np.concatenate([u, v]), np.concatenate([v, u])
    neighbours = neighbours_from(file.vertices, u, v)
    names: dict[str, Value] = {"vertices": TupleSet((np.arange(file.vertices),))}
    return Board(
        file.vertices, neighbours, names, _described(file), edge_list=True, directed=file.directed
    )


def _described(file: Graph) -> dict[str, Any]:
    """With the labels of the file, where its vertices are not numbered one after the other."""
    about: dict[str, Any] = {"shape": "graph", "vertices": file.vertices}
    about |= {"directed": True} if file.directed else {}
    return about | ({"labels": [*file.labels]} if file.labels else {"first": file.first})

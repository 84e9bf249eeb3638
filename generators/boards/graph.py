"""Graph from a file or a construction: vertices are the cells, edges or arcs the moves."""

from __future__ import annotations

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.boards import Board
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.language.values import KeyedSet, TupleSet

VERTEX_BYTES, EDGE_BYTES = 100, 300  # memory for each vertex, and each edge with its header entry

OPTIONS = {"file": Graph}


def build(file: Graph) -> Board:
    checkpoint(file.vertices * VERTEX_BYTES + len(file.edges) * EDGE_BYTES)
    u, v = file.edges.T
    if not file.directed:
        u, v = np.concatenate([u, v]), np.concatenate([v, u])
    description = {
        "shape": "graph",
        "vertices": file.vertices,
        **({"directed": True} if file.directed else {}),
        **({"labels": [*file.labels]} if file.labels else {"first": file.first}),
    }
    return Board(
        file.vertices,
        KeyedSet.adjacency(file.vertices, u, v),
        {"vertices": TupleSet((np.arange(file.vertices),))},
        description,
        edge_list=True,
        directed=file.directed,
    )

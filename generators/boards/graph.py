"""Any undirected graph from a file: its vertices are the cells, its edges the moves."""

from __future__ import annotations

import numpy as np

from boardsat.generators.boards import Board, neighbours_from
from boardsat.generators.boards._graph_files import Graph
from boardsat.generators.language.values import TupleSet, Value
from boardsat.generators.limits import WorkBudget

PLACE, EDGE = 100, 300
"""Bytes, and about as much work, for every vertex, and for every edge with its word in a header."""

OPTIONS = {"file": Graph}


def build(budget: WorkBudget, file: Graph) -> Board:
    budget.afford(file.vertices * PLACE + len(file.edges) * EDGE)
    u, v = file.edges.T
    neighbours = neighbours_from(file.vertices, np.concatenate([u, v]), np.concatenate([v, u]))
    names: dict[str, Value] = {"vertices": TupleSet((np.arange(file.vertices),))}
    description = {"shape": "graph", "vertices": file.vertices, "first": file.first}
    return Board(file.vertices, neighbours, names, description, edge_list=True)

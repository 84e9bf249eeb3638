"""Namespace of a graph parameter: `g` gives a spec `g.vertices`, `g.edges` and others."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.graphs.constructions import construct, missed, names_one
from boardsat.generators.graphs.file_formats import Graph, read_graph
from boardsat.generators.language.values import KeyedSet, TupleSet, Value

PLACE, EDGE = 100, 200
"""Bytes for every vertex and every edge."""


def of_kind(graph: Graph, kind: str) -> Graph:
    """Return the graph; raise InputError if it is not of that kind."""
    if kind == "bipartite":
        from boardsat.generators.graphs.bipartite import sided

        return sided(graph)
    if kind and not graph.directed:
        raise InputError("a graph without directions", "give one with arcs")
    if kind == "dag":
        _check_acyclic(graph)
    return graph


def _check_acyclic(graph: Graph) -> None:
    """Raise InputError if the graph has a directed cycle (Kahn's algorithm)."""
    if _leads_upwards(graph):
        return
    after: list[list[int]] = [[] for _ in range(graph.vertices)]
    for u, v in graph.edges.tolist():
        after[u].append(v)
    before = np.bincount(graph.edges[:, 1], minlength=graph.vertices).tolist()
    ahead = [v for v in range(graph.vertices) if not before[v]]
    seen = 0
    while ahead:
        checkpoint()
        seen += 1
        for v in after[ahead.pop()]:
            before[v] -= 1
            if not before[v]:
                ahead.append(v)
    if seen < graph.vertices:
        raise InputError("the graph has a directed cycle", "give one without")


def _leads_upwards(graph: Graph) -> bool:
    """Whether every arc leads to a later vertex, as in constructions: then no two are opposite."""
    return bool((graph.edges[:, 0] < graph.edges[:, 1]).all())


def offered(name: str, graph: Graph) -> dict[str, Value]:
    checkpoint(PLACE * graph.vertices + EDGE * len(graph.edges))
    parts = _general(graph) if graph.left is None else _of_sides(graph, graph.left)
    return {f"{name}.{part}": value for part, value in parts.items()}


def _general(graph: Graph) -> dict[str, Value]:
    u, v = graph.edges.T
    n = graph.vertices
    low, high = u, v
    if graph.directed:
        if not _leads_upwards(graph):
            low, high = np.divmod(np.unique(np.minimum(u, v) * n + np.maximum(u, v)), n)
        after, before = KeyedSet.adjacency(n, u, v), KeyedSet.adjacency(n, v, u)
    else:
        after = before = KeyedSet.adjacency(n, np.concatenate([u, v]), np.concatenate([v, u]))
    origin = np.repeat(np.arange(n), np.diff(after.starts))
    return {
        "vertices": TupleSet((np.arange(n),)),
        "edges": TupleSet((low, high)),
        "arcs": TupleSet((origin, after.columns[0])),
        "neighbours": after,
        "predecessors": before,
        "directed": graph.directed,
    }


def _of_sides(graph: Graph, left: int) -> dict[str, Value]:
    u, v = graph.edges[:, 0], graph.edges[:, 1] - left
    right = graph.vertices - left
    return {
        "left": TupleSet((np.arange(left),)),
        "right": TupleSet((np.arange(right),)),
        "edges": TupleSet((u, v)),
        "neighbours": KeyedSet.group(u, (left,), [v]),
        "predecessors": KeyedSet.group(v, (right,), [u]),
    }


def graph_of(kind: str, text: str, place: str, number: Callable[[str], int]) -> Graph:
    """The graph; an error is one of the place, unless it is one of the file."""
    named = names_one(kind, text)
    if not named and (meant := missed(kind, text)) and not os.path.exists(text):  # noqa: PTH110
        raise meant.at(place)
    graph = None if named else read_graph(text, kind)
    try:
        return of_kind(graph or construct(kind, text, number), kind)
    except InputError as error:
        raise error.at(place) from None

"""Graph of a parameter, and its names for specs: `g.vertices`, `g.edges` and others."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators.graphs.constructions import (
    EXAMPLES,
    construct,
    construction_error,
    is_construction,
)
from boardsat.generators.graphs.file_formats import read_graph
from boardsat.generators.graphs.labelled_graph import Graph
from boardsat.generators.language.values import KeyedSet, TupleSet, Value

VERTEX_BYTES, EDGE_BYTES = 100, 200  # memory for each vertex and edge of a namespace


def graph_of_setting(kind: str, text: str, location: str, number_of: Callable[[str], int]) -> Graph:
    """Return the graph of a setting.

    Parameters
    ----------
    kind : str
        Required kind of graph: `digraph`, `dag`, `bipartite`, or empty for any.
    text : str
        Construction, path of a file, or lines of a file.
    location : str
        Source location of the setting, for errors.
    number_of : callable
        Value of a name in a construction.

    Raises
    ------
    InputError
        If the setting is invalid, or the graph is of another kind. Errors inside a file are located
        there.
    """
    is_file = not is_construction(kind, text)
    if is_file and (error := construction_error(kind, text)) and not os.path.exists(text):  # noqa: PTH110
        raise error.at(location)
    graph = read_graph(text, kind) if is_file else None
    try:
        return _convert(graph or construct(kind, text, number_of), kind)
    except InputError as error:
        raise error.at(location) from None


def _convert(graph: Graph, kind: str) -> Graph:
    """Return the graph as one of a kind; raise InputError if it is not of that kind."""
    if kind == "bipartite":
        from boardsat.generators.graphs.bipartite import bipartition

        return bipartition(graph)
    if kind and not graph.directed:
        fault = f"the graph must be directed, as its kind is {kind}"
        raise InputError(fault, f"try a graph such as `{EXAMPLES[kind]}`")
    if kind == "dag":
        _check_acyclic(graph)
    return graph


def _check_acyclic(graph: Graph) -> None:
    """Raise InputError if the graph has a directed cycle (Kahn's algorithm)."""
    if _is_topologically_sorted(graph):
        return
    successors: list[list[int]] = [[] for _ in range(graph.vertices)]
    for u, v in graph.edges.tolist():
        successors[u].append(v)
    indegree = np.bincount(graph.edges[:, 1], minlength=graph.vertices).tolist()
    sources = [v for v in range(graph.vertices) if not indegree[v]]
    num_removed = 0
    while sources:
        checkpoint()
        num_removed += 1
        for v in successors[sources.pop()]:
            indegree[v] -= 1
            if not indegree[v]:
                sources.append(v)
    if num_removed < graph.vertices:
        fault = "the graph must be acyclic, but it has a directed cycle"
        raise InputError(fault, f"try a graph such as `{EXAMPLES['dag']}`")


def _is_topologically_sorted(graph: Graph) -> bool:
    """Return True if each arc leads to a vertex with a larger number."""
    return bool((graph.edges[:, 0] < graph.edges[:, 1]).all())


def graph_namespace(name: str, graph: Graph) -> dict[str, Value]:
    """Return the names `NAME.edges` and so on that specs can use, with their values."""
    checkpoint(VERTEX_BYTES * graph.vertices + EDGE_BYTES * len(graph.edges))
    if graph.num_left is None:
        namespace = _simple_namespace(graph)
    else:
        namespace = _bipartite_namespace(graph, graph.num_left)
    return {f"{name}.{key}": entry for key, entry in namespace.items()}


def _simple_namespace(graph: Graph) -> dict[str, Value]:
    n = graph.vertices
    u, v = low, high = graph.edges.T
    if graph.directed:
        if not _is_topologically_sorted(graph):
            low, high = np.divmod(np.unique(np.minimum(u, v) * n + np.maximum(u, v)), n)
        successors, predecessors = KeyedSet.adjacency(n, u, v), KeyedSet.adjacency(n, v, u)
    else:
        ends = np.concatenate([u, v]), np.concatenate([v, u])
        successors = predecessors = KeyedSet.adjacency(n, *ends)
    origin = np.repeat(np.arange(n), np.diff(successors.starts))
    return {
        "vertices": TupleSet((np.arange(n),)),
        "edges": TupleSet((low, high)),
        "arcs": TupleSet((origin, successors.columns[0])),
        "neighbours": successors,
        "predecessors": predecessors,
        "directed": graph.directed,
    }


def _bipartite_namespace(graph: Graph, num_left: int) -> dict[str, Value]:
    u, v = graph.edges[:, 0], graph.edges[:, 1] - num_left
    num_right = graph.vertices - num_left
    return {
        "left": TupleSet((np.arange(num_left),)),
        "right": TupleSet((np.arange(num_right),)),
        "edges": TupleSet((u, v)),
        "neighbours": KeyedSet.group(u, (num_left,), [v]),
        "predecessors": KeyedSet.group(v, (num_right,), [u]),
    }

"""CNFgen's kthlist: the number of vertices, then `v : u w 0` for every v with its predecessors.

Of a graph without directions these are neighbours. Of a bipartite one the lines are those of left
vertices, and the others follow on the right.
"""

from __future__ import annotations

import numpy as np

from boardsat.generators.boards._graph_files.graph import Graph, GraphText, numbered, renamed

_WANTED = "write the number of vertices, then lines `v : u w 0`"


def read(source: GraphText) -> Graph:
    vertices, last = -1, 0
    edges: list[tuple[int, int, int]] = []
    for line, text in enumerate(source.text.splitlines(), 1):
        if not text.strip() or text.startswith("c"):
            continue
        head, colon, tail = text.partition(":")
        if not colon and vertices < 0:
            vertices = source.number(line, head.strip())
            continue
        words = tail.split()
        if not colon or vertices < 0 or not words or words[-1] != "0":
            raise source.error(line, f"{text[:40]!r} is not a line of a kthlist", _WANTED)
        v = source.number(line, head.strip())
        if v <= last:
            raise source.error(
                line, f"vertex {v} comes after {last}", "list them in ascending order"
            )
        last = v
        edges += [(source.number(line, word), v, line) for word in words[:-1]]
    if vertices < 0:
        raise source.error(1, "no number of vertices", _WANTED)
    table = np.array(edges, np.int64).reshape(-1, 3)
    graph = numbered(source, vertices, table, 1, source.kind in ("digraph", "dag"))
    return _split(source, graph, table, last) if source.kind == "bipartite" else graph


def _split(source: GraphText, graph: Graph, table: np.ndarray, left: int) -> Graph:
    """The left side ends with the last vertex that has a line."""
    wrong = np.flatnonzero(table[:, 0] <= left)
    if len(wrong):
        line = int(table[wrong[0], 2])
        fault = f"an edge to {table[wrong[0], 0]}, which is on the left too"
        raise source.error(
            line, fault, "list the vertices of the left side alone, and number them first"
        )
    return renamed(graph, 1, left=left)

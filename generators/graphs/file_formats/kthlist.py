"""CNFgen's kthlist: the number of vertices, then `v : u w 0` for every v with its predecessors.

In an undirected graph these are neighbours. In a bipartite graph the lines are those of the left
vertices, and the right ones follow.
"""

from __future__ import annotations

from dataclasses import replace

from boardsat.generators.graphs.labelled_graph import Graph, GraphText, numbered

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
    graph = numbered(source, vertices, edges, directed=source.kind in ("digraph", "dag"))
    return _split(source, graph, edges, last) if source.kind == "bipartite" else graph


def _split(source: GraphText, graph: Graph, edges: list[tuple[int, int, int]], left: int) -> Graph:
    """Return the graph as bipartite; the left side ends with the last vertex that has a line."""
    for u, _, line in edges:
        if u <= left:
            fault = f"an edge to {u}, which is on the left too"
            remedy = "list the vertices of the left side alone, and number them first"
            raise source.error(line, fault, remedy)
    return replace(graph, left=left)

"""DIMACS graphs: `p edge N M` and lines `e U V`, or arcs: `p sp N M` and lines `a U V LENGTH`."""

from __future__ import annotations

from boardsat.generators.graphs.labelled_graph import Graph, GraphText, numbered


def read(source: GraphText) -> Graph:
    vertices, directed = -1, False
    edges: list[tuple[int, int, int]] = []
    for line, text in enumerate(source.text.splitlines(), 1):
        match text.split():
            case [] | ["c", *_] | ["n" | "d" | "v" | "x", *_]:
                continue
            case ["p", "edge" | "edges" | "col" | "sp" as kind, number, _] if vertices < 0:
                vertices, directed = source.number(line, number), kind == "sp"
            case ["e", u, v] if vertices >= 0 and not directed:
                edges.append((source.number(line, u), source.number(line, v), line))
            case ["a", u, v, _] if vertices >= 0 and directed:
                edges.append((source.number(line, u), source.number(line, v), line))
            case _:
                wanted = "`p edge VERTICES EDGES`, then `e U V` lines"
                if directed:
                    wanted = "`p sp VERTICES ARCS`, then `a U V LENGTH` lines"
                raise source.error(
                    line, f"{text[:40]!r} is not a line of a DIMACS graph", f"write {wanted}"
                )
    if vertices < 0:
        raise source.error(1, "no `p edge` line")
    return numbered(source, vertices, edges, directed=directed)

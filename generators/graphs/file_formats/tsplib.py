"""TSPLIB files with a list of edges, as for Hamiltonian cycles; those of TYPE ATSP have arcs."""

from __future__ import annotations

from boardsat.generators.graphs.labelled_graph import Graph, GraphText, numbered


def read(source: GraphText) -> Graph:
    vertices, directed, listing, listed = -1, False, False, False
    edges: list[tuple[int, int, int]] = []
    for line, text in enumerate(source.text.splitlines(), 1):
        words = text.replace(":", " : ", 1).split()
        key = words[0].upper() if words else ""
        if key in ("", "EOF"):
            continue
        if key == "EDGE_DATA_SECTION":
            listing = listed = True
        elif listing and words[0] == "-1":
            listing = False
        elif listing and len(words) == 2:
            u, v = words
            edges.append((source.number(line, u), source.number(line, v), line))
        elif listing:
            raise source.error(line, f"{text[:40]!r} is not an edge", "write `U V`, then `-1`")
        elif key == "DIMENSION":
            vertices = source.number(line, words[-1])
        elif key == "TYPE":
            directed = words[-1].upper() == "ATSP"
        elif key == "EDGE_DATA_FORMAT" and words[-1].upper() != "EDGE_LIST":
            raise source.error(line, f"edge format {words[-1]!r}", "EDGE_LIST is read")
    if vertices < 0:
        raise source.error(1, "no DIMENSION line")
    if not listed:
        raise source.error(
            1, "no EDGE_DATA_SECTION", "list the edges there: without it all vertices are joined"
        )
    return numbered(source, vertices, edges, directed=directed)

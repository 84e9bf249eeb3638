"""Graph formats of lines: edge lists, DIMACS, TSPLIB, and kthlist and matrix as in CNFgen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.generators.arrays import Ints, distinct
from boardsat.generators.graphs.labelled_graph import (
    VERTEX_BYTES,
    Graph,
    GraphText,
    labelled,
    numbered,
)

ENTRY_BYTES = 150  # memory for each entry of a matrix
ARROW = "->"

_KTHLIST_REMEDY = "write the number of vertices, then lines `v : u w 0`"


def read_edge_list(source: GraphText) -> Graph:
    """Parse lines `u v` or `u,v`; lines `u -> v` are arcs, and so are all after `# directed`.

    The data in braces that NetworkX writes after an edge are ignored.
    """
    rows: list[tuple[str, str, int]] = []
    arrows, is_declared_directed = 0, False
    for line, text in enumerate(source.text.splitlines(), 1):
        edge = text.partition(" {")[0] if text.rstrip().endswith("}") else text
        tokens = edge.replace(",", " ").split()
        if not tokens:
            continue
        if tokens[0][0] in "#%":
            comment = text.lstrip("#% \t").lower()
            is_declared_directed |= comment.startswith("directed")
            continue
        if len(tokens) == 3 and tokens[1] == ARROW:
            arrows += 1
            tokens = [tokens[0], tokens[2]]
        if len(tokens) != 2:
            raise source.error(line, f"{text[:40]!r} is not an edge")
        rows.append((tokens[0], tokens[1], line))
        if 0 < arrows < len(rows):
            fault = "all lines must have an arrow, or none of them"
            raise source.error(line, fault, "write `u -> v` in each line")
    if not rows:
        raise source.error(1, "the file has no edge")
    directed = is_declared_directed or arrows > 0
    if any(token[0].isdecimal() for row in rows for token in row[:2]):
        return _graph_of_numbers(source, rows, directed)
    return _graph_of_names(source, rows, directed)


def _graph_of_numbers(source: GraphText, rows: list[tuple[str, str, int]], directed: bool) -> Graph:
    """Return the graph whose vertices are the numbers that occur in an edge, in ascending order."""
    edges = np.array([(_number(source, u, n), _number(source, v, n), n) for u, v, n in rows])
    numbers: Ints = distinct(edges[:, :2].ravel())
    if numbers[-1] - numbers[0] == len(numbers) - 1:
        return numbered(source, len(numbers), edges, int(numbers[0]), directed)
    edges[:, :2] = np.searchsorted(numbers, edges[:, :2])
    return labelled(source, [*map(str, numbers.tolist())], edges, directed)


def _number(source: GraphText, token: str, line: int) -> int:
    if token[0].isalpha():
        raise source.error(
            line,
            f"{token[:30]!r} is a name, but other vertices have numbers",
            "use one or the other; a line of headings begins with #",
        )
    return source.number(line, token)


def _graph_of_names(source: GraphText, rows: list[tuple[str, str, int]], directed: bool) -> Graph:
    """Return the graph whose vertices are the names in edges, in the order of the file."""
    vertices: dict[str, int] = {}
    edges = []
    for u, v, line in rows:
        for token in (u, v):
            if not (token[0].isalpha() or token[0] == "_"):
                fault = f"{token[:30]!r} is neither a number nor a name"
                raise source.error(line, fault, "names begin with a letter")
            if token not in vertices:
                vertices[source.name(line, token)] = len(vertices)
        edges.append((vertices[u], vertices[v], line))
    return labelled(source, list(vertices), edges, directed)


def read_dimacs(source: GraphText) -> Graph:
    """Parse DIMACS `p edge N M` with lines `e U V`, or `p sp N M` with arcs `a U V LENGTH`.

    Some collections write `p N M` without the word `edge`.
    """
    vertices, directed = -1, False
    edges: list[tuple[int, int, int]] = []
    for line, text in enumerate(source.text.splitlines(), 1):
        match text.split():
            case [] | ["c", *_] | ["n" | "d" | "v" | "x", *_]:
                continue
            case ["p", "edge" | "edges" | "col" | "sp" as kind, number, _] if vertices < 0:
                vertices, directed = source.number(line, number), kind == "sp"
            case ["p", number, _] if vertices < 0 and number.isdecimal():
                vertices = source.number(line, number)
            case ["e", u, v] if vertices >= 0 and not directed:
                edges.append((source.number(line, u), source.number(line, v), line))
            case ["a", u, v, _] if vertices >= 0 and directed:
                edges.append((source.number(line, u), source.number(line, v), line))
            case _:
                remedy = "write `p edge VERTICES EDGES`, then `e U V` lines"
                if directed:
                    remedy = "write `p sp VERTICES ARCS`, then `a U V LENGTH` lines"
                raise source.error(line, f"{text[:40]!r} is not a line of a DIMACS graph", remedy)
    if vertices < 0:
        raise source.error(1, "the `p edge` line is missing")
    return numbered(source, vertices, edges, directed=directed)


def read_tsplib(source: GraphText) -> Graph:
    """Parse TSPLIB with an edge list, as for Hamiltonian cycles; TYPE ATSP has arcs."""
    vertices, directed, is_edge_section, has_edge_section = -1, False, False, False
    edges: list[tuple[int, int, int]] = []
    for line, text in enumerate(source.text.splitlines(), 1):
        tokens = text.replace(":", " : ", 1).split()
        key = tokens[0].upper() if tokens else ""
        if key in ("", "EOF"):
            continue
        if key == "EDGE_DATA_SECTION":
            is_edge_section = has_edge_section = True
        elif is_edge_section and tokens[0] == "-1":
            is_edge_section = False
        elif is_edge_section and len(tokens) == 2:
            u, v = tokens
            edges.append((source.number(line, u), source.number(line, v), line))
        elif is_edge_section:
            remedy = "write `U V` for each edge, and `-1` after the last"
            raise source.error(line, f"{text[:40]!r} is not an edge", remedy)
        elif key == "DIMENSION":
            vertices = source.number(line, tokens[-1])
        elif key == "TYPE":
            directed = tokens[-1].upper() == "ATSP"
        elif key == "EDGE_DATA_FORMAT" and tokens[-1].upper() != "EDGE_LIST":
            fault = f"EDGE_DATA_FORMAT must be EDGE_LIST (got {tokens[-1][:30]})"
            raise source.error(line, fault, "list the edges")
    if vertices < 0:
        raise source.error(1, "the DIMENSION line is missing")
    if not has_edge_section:
        remedy = "list the edges there: without it all vertices are joined"
        raise source.error(1, "the EDGE_DATA_SECTION is missing", remedy)
    return numbered(source, vertices, edges, directed=directed)


def read_kthlist(source: GraphText) -> Graph:
    """Parse kthlist: the number of vertices, then `v : u w 0` for each v with its predecessors.

    In an undirected graph these are neighbours. In a bipartite graph the lines are those of the
    left vertices, and the right ones have larger numbers.
    """
    vertices, last = -1, 0
    edges: list[tuple[int, int, int]] = []
    for line, text in enumerate(source.text.splitlines(), 1):
        if not text.strip() or text.startswith("c"):
            continue
        head, colon, tail = text.partition(":")
        if not colon and vertices < 0:
            vertices = source.number(line, head.strip())
            continue
        tokens = tail.split()
        if not colon or vertices < 0 or not tokens or tokens[-1] != "0":
            fault = f"{text[:40]!r} is not a line of a kthlist"
            raise source.error(line, fault, _KTHLIST_REMEDY)
        v = source.number(line, head.strip())
        if v <= last:
            fault = f"vertices must be in ascending order (got {v} after {last})"
            raise source.error(line, fault, "sort the lines")
        last = v
        edges += [(source.number(line, token), v, line) for token in tokens[:-1]]
    if vertices < 0:
        raise source.error(1, "the number of vertices is missing", _KTHLIST_REMEDY)
    graph = numbered(source, vertices, edges, directed=source.kind in ("digraph", "dag"))
    if source.kind != "bipartite":
        return graph
    for u, v, line in edges:
        if u <= last:
            fault = f"the left vertex {v} has an edge to {u}, which is on the left too"
            remedy = f"number the right vertices from {last + 1} on"
            raise source.error(line, fault, remedy)
    return replace(graph, num_left=last)


def read_matrix(source: GraphText) -> Graph:
    """Parse the matrix of a bipartite graph: `ROWS COLUMNS`, then 0 or 1 for each pair."""
    tokens: list[tuple[str, int]] = []
    checkpoint(ENTRY_BYTES * (len(source.text) // 2 + 1))
    for line, text in enumerate(source.text.splitlines(), 1):
        if not text.lstrip().startswith("#"):
            tokens += [(token, line) for token in text.split()]
    last = tokens[-1][1] if tokens else 1
    if len(tokens) < 2:
        raise source.error(last, "the size of the matrix is missing", "begin with `ROWS COLUMNS`")
    rows, cols = (source.number(line, token) for token, line in tokens[:2])
    if not rows or not cols:
        fault = f"ROWS and COLUMNS must be at least 1 (got {rows} and {cols})"
        raise source.error(tokens[0][1], fault, "begin with `ROWS COLUMNS`")
    if len(tokens) - 2 != rows * cols:
        fault = (
            f"the matrix must consist of {rows} * {cols} zeros and ones (got {len(tokens) - 2:,})"
        )
        raise source.error(last, fault, "write 0 or 1 for each row and column")
    for token, line in tokens[2:]:
        if token not in ("0", "1"):
            raise source.error(line, f"an entry must be 0 or 1 (got {token[:30]!r})", "change it")
    checkpoint(VERTEX_BYTES * (rows + cols))
    entries = np.array([token == "1" for token, _ in tokens[2:]], np.bool_).reshape(rows, cols)
    u, v = np.nonzero(entries)
    return Graph(rows + cols, np.column_stack([u, rows + v]), 1, num_left=rows)

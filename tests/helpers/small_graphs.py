"""Small graphs as a number of vertices and a list of edges."""

from __future__ import annotations

from itertools import combinations

Graph = tuple[int, list[tuple[int, int]]]


Steps = tuple[tuple[int, int], ...]


def leapers(rows: int, cols: int, steps: Steps) -> Graph:
    edges = [
        (row * cols + col, (row + down) * cols + col + right)
        for row in range(rows)
        for col in range(cols)
        for down, right in steps
        if row + down < rows and 0 <= col + right < cols
    ]
    return rows * cols, edges


def knights(rows: int, cols: int) -> Graph:
    return leapers(rows, cols, ((1, 2), (2, 1), (1, -2), (2, -1)))


def complete(vertices: int) -> Graph:
    return vertices, list(combinations(range(vertices), 2))


def bipartite(side: int) -> Graph:
    return 2 * side, [(u, side + v) for u in range(side) for v in range(side)]


def ring(vertices: int) -> list[tuple[int, int]]:
    return [(vertex, (vertex + 1) % vertices) for vertex in range(vertices)]


def generalized_petersen(spokes: int, skip: int) -> Graph:
    inner = [(spokes + vertex, spokes + (vertex + skip) % spokes) for vertex in range(spokes)]
    return 2 * spokes, [*ring(spokes), *((v, v + spokes) for v in range(spokes)), *inner]


def necklace(beads: int, size: int) -> Graph:
    """Return a ring of complete graphs; a cycle visits each from its first to its last vertex."""
    edges = []
    for bead in range(beads):
        first = bead * size
        edges += [(first + u, first + v) for u, v in complete(size)[1]]
        edges.append((first + size - 1, (first + size) % (beads * size)))
    return beads * size, edges


def dimacs_text(graph: Graph) -> str:
    n, edges = graph
    return "\n".join([f"p edge {n} {len(edges)}", *(f"e {u + 1} {v + 1}" for u, v in edges), ""])

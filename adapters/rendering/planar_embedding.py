"""Planar embedding of a graph: the faces of each component, including the outer one.

Every block (a maximal subgraph without a cut vertex) is embedded path by path (Demoucron, Malgrange
and Pertuiset 1964). At a cut vertex the blocks follow one another in the cyclic order of edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

Edges = Sequence[tuple[int, int]]

Walk = list[int]
"""Closed walk around a face. It may repeat a cut vertex; its start is not repeated at the end."""

Adjacency = dict[int, set[int]]
"""Neighbours of the vertices of a block."""


def planar_faces(vertices: int, edges: Edges) -> list[Walk] | None:
    """Return the faces of a connected simple graph as walks of equal orientation.

    None if the graph is not planar.
    """
    if vertices > 2 and len(edges) > 3 * vertices - 6:
        return None
    # The walk around a face is stored by half-edges: half-edge -> next vertex.
    next_vertex: dict[tuple[int, int], int] = {}
    last: dict[int, int] = {}
    for block in _blocks(vertices, edges):
        faces = _embed_block(block)
        if faces is None:
            return None
        for face in faces:
            for previous, vertex, successor in _corners(face):
                next_vertex[previous, vertex] = successor
        for vertex in {vertex for edge in block for vertex in edge}:
            face = next(face for face in faces if vertex in face)
            _join_block(next_vertex, last, vertex, face)
    return list(_walks(next_vertex))


def _join_block(
    next_vertex: dict[tuple[int, int], int], last: dict[int, int], vertex: int, face: Walk
) -> None:
    """Insert the edges of a block at a vertex after those of earlier blocks.

    `last` has a neighbour of each vertex in its latest block.
    """
    previous = face[face.index(vertex) - 1]
    if vertex in last:
        new, old = (previous, vertex), (last[vertex], vertex)
        next_vertex[new], next_vertex[old] = next_vertex[old], next_vertex[new]
    last[vertex] = previous


def _corners(face: Walk) -> Iterator[tuple[int, int, int]]:
    """Yield each vertex of a face between its predecessor and successor."""
    for index, vertex in enumerate(face):
        yield face[index - 1], vertex, face[(index + 1) % len(face)]


def _walks(next_vertex: dict[tuple[int, int], int]) -> Iterator[Walk]:
    """Yield the closed walks that the half-edges form."""
    seen: set[tuple[int, int]] = set()
    for start in next_vertex:
        walk: Walk = []
        half_edge = start
        while half_edge not in seen:
            seen.add(half_edge)
            walk.append(half_edge[1])
            half_edge = half_edge[1], next_vertex[half_edge]
        if walk:
            yield walk


def _blocks(vertices: int, edges: Edges) -> Iterator[list[tuple[int, int]]]:
    """Yield the edges of every block, by the depth-first search of Hopcroft and Tarjan."""
    adjacency = neighbours(vertices, edges)
    depth, low = [-1] * vertices, [0] * vertices
    for root in range(vertices):
        if depth[root] >= 0:
            continue
        depth[root] = 0
        edge_stack: list[tuple[int, int]] = []
        path = [(root, -1, iter(adjacency[root]))]
        while path:
            vertex, parent, untried = path[-1]
            for neighbour in untried:
                if depth[neighbour] < 0:
                    depth[neighbour] = low[neighbour] = depth[vertex] + 1
                    edge_stack.append((vertex, neighbour))
                    path.append((neighbour, vertex, iter(adjacency[neighbour])))
                    break
                if neighbour != parent and depth[neighbour] < depth[vertex]:
                    edge_stack.append((vertex, neighbour))
                    low[vertex] = min(low[vertex], depth[neighbour])
            else:
                path.pop()
                if parent < 0:
                    continue
                low[parent] = min(low[parent], low[vertex])
                if low[vertex] >= depth[parent]:
                    first = edge_stack.index((parent, vertex))
                    yield edge_stack[first:]
                    del edge_stack[first:]


def neighbours(vertices: int, edges: Edges) -> list[list[int]]:
    """Return the neighbours of every vertex."""
    adjacency: list[list[int]] = [[] for _ in range(vertices)]
    for u, v in edges:
        adjacency[u].append(v)
        adjacency[v].append(u)
    return adjacency


def _embed_block(block: Edges) -> list[Walk] | None:
    """Return the faces of a block, None if it is not planar.

    A cycle has two faces; each path through a fragment then splits a face.
    """
    adjacency: Adjacency = {}
    for u, v in block:
        adjacency.setdefault(u, set()).add(v)
        adjacency.setdefault(v, set()).add(u)
    if len(block) == 1:
        return [list(block[0])]
    cycle = _shortest_path(adjacency, {block[0][0]}, block[0][1], block[0])
    faces = [cycle, cycle[::-1]]
    drawn = {frozenset(pair) for pair in pairwise([*cycle, cycle[0]])}
    while len(drawn) < len(block):
        drawn_vertices = {vertex for face in faces for vertex in face}
        selected = None
        for attachments, inner in _fragments(adjacency, drawn_vertices, drawn):
            admissible = [k for k, face in enumerate(faces) if attachments.issubset(face)]
            if not admissible:
                return None
            if selected is None or len(admissible) == 1:
                selected = attachments, inner, admissible[0]
            if len(admissible) == 1:
                break
        assert selected is not None
        attachments, inner, index = selected
        path = _path_through(adjacency, attachments, inner)
        drawn |= {frozenset(pair) for pair in pairwise(path)}
        faces[index : index + 1] = _split_face(faces[index], path)
    return faces


def _shortest_path(
    adjacency: Adjacency, targets: set[int], start: int, excluded_edge: tuple[int, int]
) -> Walk:
    """Return a shortest path from the nearest target to a vertex that avoids one edge."""
    predecessor = {start: start}
    queue = [start]
    for vertex in queue:
        if vertex in targets:
            path = [vertex]
            while path[-1] != start:
                path.append(predecessor[path[-1]])
            return path
        for neighbour in sorted(adjacency[vertex]):
            if neighbour not in predecessor and {vertex, neighbour} != set(excluded_edge):
                predecessor[neighbour] = vertex
                queue.append(neighbour)
    raise AssertionError("a block has a cycle through each of its edges")


def _fragments(
    adjacency: Adjacency, drawn_vertices: set[int], drawn: set[frozenset[int]]
) -> Iterator[tuple[set[int], set[int]]]:
    """Yield the fragments that are not drawn yet: their attachments and their inner vertices."""
    for u in sorted(drawn_vertices):
        for v in sorted(adjacency[u] & drawn_vertices):
            if u < v and frozenset((u, v)) not in drawn:
                yield {u, v}, set()
    seen: set[int] = set()
    for start in sorted(adjacency.keys() - drawn_vertices):
        if start in seen:
            continue
        inner, queue = {start}, [start]
        for vertex in queue:
            new = adjacency[vertex] - drawn_vertices - inner
            inner |= new
            queue += sorted(new)
        seen |= inner
        yield {end for vertex in inner for end in adjacency[vertex] & drawn_vertices}, inner


def _path_through(adjacency: Adjacency, attachments: set[int], inner: set[int]) -> Walk:
    """Return a path through a fragment, between two of its attachments."""
    first, *ends = sorted(attachments)
    if not inner:
        return [first, *ends]
    fragment = {v: (adjacency[v] & inner) | (adjacency[v] & set(ends)) for v in inner}
    fragment |= {v: set() for v in ends}
    fragment[first] = adjacency[first] & inner
    return _shortest_path(fragment, set(ends), first, (-1, -1))


def _split_face(face: Walk, path: Walk) -> Iterable[Walk]:
    """Return the two faces into which a path splits a face."""
    a, b = sorted((face.index(path[0]), face.index(path[-1])))
    if face[a] != path[0]:
        path = path[::-1]
    inner = path[1:-1]
    return [[*face[a : b + 1], *inner[::-1]], [*face[b:], *face[: a + 1], *inner]]

"""The faces of a planar graph: around each of its components, and inside.

Every block (a maximal part without a cut vertex) is embedded path by path (Demoucron, Malgrange and
Pertuiset 1964). At a cut vertex the edges of one block stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

Edges = Sequence[tuple[int, int]]
Walk = list[int]
"""A way around a face, the last vertex next to the first; a cut vertex may be passed repeatedly."""


def planar_faces(vertices: int, edges: Edges) -> list[Walk] | None:
    """The faces of a connected simple graph in the plane, all with the same sense; None if none."""
    if vertices > 2 and len(edges) > 3 * vertices - 6:
        return None
    after: dict[tuple[int, int], int] = {}
    """Of an edge into a vertex, where the way around the face goes on."""
    last: dict[int, int] = {}
    for block in _blocks(vertices, edges):
        embedded = _embedded(block)
        if embedded is None:
            return None
        for face in embedded:
            for before, vertex, following in _corners(face):
                after[before, vertex] = following
        for vertex in {vertex for edge in block for vertex in edge}:
            _join(after, last, vertex, next(e for e in embedded if vertex in e))
    return list(_walks(after))


def _join(after: dict[tuple[int, int], int], last: dict[int, int], vertex: int, face: Walk) -> None:
    """Put the edges of a block at a vertex side by side with those of the blocks before it."""
    before = face[face.index(vertex) - 1]
    if vertex in last:
        old = last[vertex]
        after[before, vertex], after[old, vertex] = after[old, vertex], after[before, vertex]
    last[vertex] = before


def _corners(face: Walk) -> Iterator[tuple[int, int, int]]:
    for place, vertex in enumerate(face):
        yield face[place - 1], vertex, face[(place + 1) % len(face)]


def _walks(after: dict[tuple[int, int], int]) -> Iterator[Walk]:
    seen: set[tuple[int, int]] = set()
    for start in after:
        walk: Walk = []
        dart = start
        while dart not in seen:
            seen.add(dart)
            walk.append(dart[1])
            dart = dart[1], after[dart]
        if walk:
            yield walk


def _blocks(vertices: int, edges: Edges) -> Iterator[list[tuple[int, int]]]:
    """The edges of every block, by the depth-first search of Hopcroft and Tarjan."""
    around = neighbours(vertices, edges)
    depth, low = [-1] * vertices, [0] * vertices
    for root in range(vertices):
        if depth[root] >= 0:
            continue
        depth[root] = 0
        passed: list[tuple[int, int]] = []
        path = [(root, -1, iter(around[root]))]
        while path:
            vertex, parent, others = path[-1]
            for other in others:
                if depth[other] < 0:
                    depth[other] = low[other] = depth[vertex] + 1
                    passed.append((vertex, other))
                    path.append((other, vertex, iter(around[other])))
                    break
                if other != parent and depth[other] < depth[vertex]:
                    passed.append((vertex, other))
                    low[vertex] = min(low[vertex], depth[other])
            else:
                path.pop()
                if parent < 0:
                    continue
                low[parent] = min(low[parent], low[vertex])
                if low[vertex] >= depth[parent]:
                    first = passed.index((parent, vertex))
                    yield passed[first:]
                    del passed[first:]


def neighbours(vertices: int, edges: Edges) -> list[list[int]]:
    around: list[list[int]] = [[] for _ in range(vertices)]
    for u, v in edges:
        around[u].append(v)
        around[v].append(u)
    return around


def _embedded(block: Edges) -> list[Walk] | None:
    """The faces of a block: of a cycle at first, then each path divides one of them."""
    around: dict[int, set[int]] = {}
    for u, v in block:
        around.setdefault(u, set()).add(v)
        around.setdefault(v, set()).add(u)
    if len(block) == 1:
        return [list(block[0])]
    cycle = _path(around, {block[0][0]}, block[0][1], block[0])
    faces = [cycle, cycle[::-1]]
    drawn = {frozenset(pair) for pair in pairwise([*cycle, cycle[0]])}
    while len(drawn) < len(block):
        within = {vertex for face in faces for vertex in face}
        chosen = None
        for attached, inside in _fragments(around, within, drawn):
            fitting = [place for place, face in enumerate(faces) if attached.issubset(face)]
            if not fitting:
                return None
            if chosen is None or len(fitting) == 1:
                chosen = attached, inside, fitting[0]
            if len(fitting) == 1:
                break
        assert chosen is not None
        attached, inside, place = chosen
        path = _through(around, attached, inside)
        drawn |= {frozenset(pair) for pair in pairwise(path)}
        faces[place : place + 1] = _divided(faces[place], path)
    return faces


def _path(
    around: dict[int, set[int]], goal: set[int], start: int, without: tuple[int, int]
) -> Walk:
    """A shortest way from a vertex to the first of a goal, not by one edge."""
    came = {start: start}
    queue = [start]
    for vertex in queue:
        if vertex in goal:
            way = [vertex]
            while way[-1] != start:
                way.append(came[way[-1]])
            return way
        for other in sorted(around[vertex]):
            if other not in came and {vertex, other} != set(without):
                came[other] = vertex
                queue.append(other)
    raise AssertionError("a block has a cycle through each of its edges")


def _fragments(
    around: dict[int, set[int]], within: set[int], drawn: set[frozenset[int]]
) -> Iterator[tuple[set[int], set[int]]]:
    """What is not drawn yet, part by part: where it is attached, and its own vertices."""
    for u in sorted(within):
        for v in sorted(around[u] & within):
            if u < v and frozenset((u, v)) not in drawn:
                yield {u, v}, set()
    seen: set[int] = set()
    for start in sorted(around.keys() - within):
        if start in seen:
            continue
        inside, queue = {start}, [start]
        for vertex in queue:
            new = around[vertex] - within - inside
            inside |= new
            queue += sorted(new)
        seen |= inside
        yield {other for vertex in inside for other in around[vertex] & within}, inside


def _through(around: dict[int, set[int]], attached: set[int], inside: set[int]) -> Walk:
    """A way from one vertex at which a part is attached to another, through that part."""
    first, *others = sorted(attached)
    if not inside:
        return [first, *others]
    part = {v: (around[v] & inside) | (around[v] & set(others)) for v in inside}
    part |= {v: set() for v in others}
    part[first] = around[first] & inside
    return _path(part, set(others), first, (-1, -1))


def _divided(face: Walk, path: Walk) -> Iterable[Walk]:
    """The two faces into which a path divides one."""
    a, b = sorted((face.index(path[0]), face.index(path[-1])))
    if face[a] != path[0]:
        path = path[::-1]
    inner = path[1:-1]
    return [[*face[a : b + 1], *inner[::-1]], [*face[b:], *face[: a + 1], *inner]]

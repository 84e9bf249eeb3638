"""Straight-line drawings of planar graphs without crossings, with even edge lengths.

Faces are filled with triangles up to a convex polygon around all. If every other vertex is at a
weighted mean of its neighbours, with positive weights, nothing crosses (Tutte 1963; Floater 2003).
The weights change in rounds, where long edges get larger ones; the most legible round is taken.

A local search then spreads the vertices out, one at a time: they keep away from each other and from
edges, and edges stay short. Coordinates are integers, so that the drawing stays exactly planar. The
components of a graph stand side by side.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.rendering.planar_embedding import Edges, Walk, neighbours, planar_faces

MAX_VERTICES = 120
"""Maximum size of a component: larger drawings take long and are illegible."""

ROUNDS = 24

GOOD_LEGIBILITY = 0.15
"""Legibility, times the root of the number of vertices, that needs no local search."""

GRID = 2**20
"""Radius of the polygon around a component, in integer units."""

COMPONENT_GAP = 60.0
"""Distance between two components."""

MAX_WIDTH = 1500.0
"""Maximum width of a component; wider ones are drawn on a circle instead."""

Places = NDArray[np.int64]
"""Integer coordinates, one row for each vertex."""

Points = NDArray[np.float64]

WORK = 30_000
"""Limit on sweeps times vertices times edges, so that large graphs get fewer sweeps."""

MAX_SWEEPS = 40

DIRECTIONS, LENGTHS = 8, 5


def draw_components(vertices: int, edges: Edges) -> list[tuple[list[int], Places]] | None:
    """Return the components and their coordinates; None if not planar or too large."""
    edges = [(u, v) for u, v in edges if u != v]
    found = []
    for component in _components(vertices, edges):
        if len(component) > MAX_VERTICES:
            return None
        number = {vertex: place for place, vertex in enumerate(component)}
        own = [(number[u], number[v]) for u, v in edges if u in number]
        places = _component(len(component), own)
        if places is None:
            return None
        found.append((component, places))
    return found


def _components(vertices: int, edges: Edges) -> Iterator[list[int]]:
    around = neighbours(vertices, edges)
    seen = [False] * vertices
    for start in range(vertices):
        if seen[start]:
            continue
        seen[start], queue = True, [start]
        for vertex in queue:
            new = [other for other in around[vertex] if not seen[other]]
            for other in dict.fromkeys(new):
                seen[other] = True
                queue.append(other)
        yield sorted(queue)


def _component(vertices: int, edges: Edges) -> Places | None:
    if vertices <= 2:
        return np.array([[0, 0], [GRID, 0]][:vertices], np.int64).reshape(-1, 2)
    faces = planar_faces(vertices, edges)
    if faces is None:
        return None
    # The longest outer face gives the most room, one without repeated vertices a simple shape.
    outer = max(faces, key=lambda face: (len(face), len(set(face)) == len(face)))
    faces.remove(outer)
    links, rim, number = _filled(vertices, edges, faces, outer)
    best, most = None, 0.0
    for places in _rounds(np.array(links), rim, number):
        found = legibility(places[:vertices], edges)
        if found > most:
            best, most = np.rint(places[:vertices] * GRID).astype(np.int64), found
    if best is None or has_crossing(best, edges):
        return None
    if most > GOOD_LEGIBILITY / math.sqrt(vertices):
        return best
    spread_out = spread_vertices(best, edges, 1.6 * GRID / math.sqrt(vertices))
    better = legibility(spread_out, edges) > legibility(best, edges)
    return spread_out if better and not has_crossing(spread_out, edges) else best


def _filled(
    vertices: int, edges: Edges, faces: Sequence[Walk], outer: Walk
) -> tuple[list[tuple[int, int]], list[int], int]:
    """Return the edges of a triangulation, its outer polygon, and its number of vertices.

    A face that passes no vertex twice gets one new vertex, linked to all. Any other gets a ring of
    new vertices first, one for every corner.
    """
    links, fresh = list(edges), vertices
    for face in faces:
        ring = face
        if len(set(face)) < len(face):
            ring, fresh = _ringed(links, face, fresh)
        if len(ring) > 3:
            links += [(fresh, vertex) for vertex in ring]
            fresh += 1
    if len(set(outer)) < len(outer):
        outer, fresh = _ringed(links, outer, fresh)
    return links, outer, fresh


def _ringed(links: list[tuple[int, int]], face: Walk, fresh: int) -> tuple[Walk, int]:
    ring = list(range(fresh, fresh + len(face)))
    for place, vertex in enumerate(face):
        after = (place + 1) % len(face)
        links += [(ring[place], vertex), (ring[place], ring[after]), (ring[place], face[after])]
    return ring, fresh + len(face)


def _rounds(links: NDArray[np.int64], rim: Walk, number: int) -> Iterator[Points]:
    """Yield the coordinates after every round of new weights."""
    places = np.zeros((number, 2))
    angles = 2 * math.pi * np.arange(len(rim)) / len(rim)
    places[rim] = np.column_stack([np.sin(angles), -np.cos(angles)])
    free = np.setdiff1d(np.arange(number), rim)
    u, v = links.T
    weights = np.ones(len(links))
    for _ in range(ROUNDS if len(free) else 1):
        matrix = np.zeros((number, number))
        np.add.at(matrix, (u, v), weights)
        np.add.at(matrix, (v, u), weights)
        laplacian = np.diag(matrix.sum(axis=1)) - matrix
        right = -laplacian[free][:, rim] @ places[rim]
        places[free] = np.linalg.solve(laplacian[free][:, free], right)
        yield places
        lengths = np.hypot(*(places[u] - places[v]).T)
        weights = weights * np.clip(lengths / lengths.mean(), 0.5, 2) ** 0.5


def disc_room(points: Points, edges: Edges) -> float:
    """Return the radius at which discs on all vertices begin to touch each other or an edge."""
    if len(points) == 1:
        return 1.0
    between = np.hypot(*(points[:, None] - points[None]).T)
    np.fill_diagonal(between, np.inf)
    radius = float(between.min()) / 3.2
    ends = np.array(edges, np.int64)
    start, along = points[ends[:, 0]], points[ends[:, 1]] - points[ends[:, 0]]
    offset = points[:, None] - start[None]
    share = (offset * along).sum(axis=2) / (along * along).sum(axis=1)
    away = np.hypot(*(offset - np.clip(share, 0, 1)[..., None] * along).transpose(2, 0, 1))
    away[ends.T.reshape(-1), np.tile(np.arange(len(ends)), 2)] = np.inf
    return min(radius, float(away.min()) / 1.2)


def legibility(places: Points | Places, edges: Edges) -> float:
    """Return the disc radius as a fraction of the picture's width or height."""
    return disc_room(places.astype(np.float64), edges) / float(np.ptp(places, axis=0).max())


def has_crossing(places: Places, edges: Edges) -> bool:
    """Return whether vertices coincide, or edges share more than an end, in exact arithmetic."""
    if len(np.unique(places, axis=0)) < len(places):
        return True
    ends = np.array(edges, np.int64).reshape(-1, 2)
    one, other = np.triu_indices(len(ends), 1)
    a, b = ends[one].T
    c, d = ends[other].T
    p, q, r, s = (places[each] for each in (a, b, c, d))
    signs = [np.sign(_orientation(*t)) for t in ((p, q, r), (p, q, s), (r, s, p), (r, s, q))]
    apart = (a != c) & (a != d) & (b != c) & (b != d)
    proper = (signs[0] * signs[1] <= 0) & (signs[2] * signs[3] <= 0)
    # Edges with a common end overlap only along one line.
    flat = (signs[0] == 0) & (signs[1] == 0)
    return bool((proper & apart & ~flat).any() or (flat & _overlap(p, q, r, s)).any())


def _overlap(p: Places, q: Places, r: Places, s: Places) -> NDArray[np.bool_]:
    """Return whether two collinear edges share more than an end."""
    along = q - p
    length = (along * along).sum(axis=1)
    first, second = ((each - p) * along for each in (r, s))
    low = np.minimum(first.sum(axis=1), second.sum(axis=1))
    high = np.maximum(first.sum(axis=1), second.sum(axis=1))
    found: NDArray[np.bool_] = np.minimum(high, length) > np.maximum(low, 0)
    return found


def planar_page(vertices: int, edges: Edges, disc: float) -> Points | None:
    """Return coordinates at which discs do not touch each other or edges; None if not drawable."""
    components = draw_components(vertices, edges) if vertices else None
    if components is None:
        return None
    page, right = np.zeros((vertices, 2)), 0.0
    for members, places in components:
        number = {vertex: place for place, vertex in enumerate(members)}
        own = [(number[u], number[v]) for u, v in edges if u in number and u != v]
        points = (places - places.min(axis=0)).astype(np.float64)
        points *= disc / max(disc_room(points, own), 1e-9)
        if points.max(initial=0.0) > MAX_WIDTH:
            return None
        page[members] = points + np.array([right, 0.0])
        right += float(points[:, 0].max(initial=0.0)) + COMPONENT_GAP
    return page


def spread_vertices(places: Places, edges: Edges, length: float) -> Places:
    """Return the drawing after a local search for edges of about the given length."""
    places = places.copy()
    ends = np.array(edges, np.int64)
    around = [np.array(others) for others in neighbours(len(places), edges)]
    sweeps = min(MAX_SWEEPS, WORK // (len(places) * len(ends)))
    for number in range(sweeps):
        steps = _steps(length * (1 - number / (sweeps + 1)), number)
        moved = False
        for vertex, near in enumerate(around):
            far = ends[(ends != vertex).all(axis=1)]
            there = places[vertex] + steps
            free = _free(there, places, near, far)
            free[0] = True
            there = there[free]
            energy = _energy(there, vertex, places, near, far, length)
            best = int(np.argmin(energy))
            moved = moved or best > 0
            places[vertex] = there[best]
        if not moved:
            break
    return places


def _steps(longest: float, turn: int) -> Places:
    """Return the zero step, then all directions in all lengths, each a quarter of the previous."""
    angles = 2 * math.pi * (np.arange(DIRECTIONS) + turn / 3) / DIRECTIONS
    lengths = longest / 4.0 ** np.arange(LENGTHS)
    radii, turns = (grid.ravel() for grid in np.meshgrid(lengths, angles))
    steps = np.column_stack([radii * np.cos(turns), radii * np.sin(turns)])
    return np.concatenate([np.zeros((1, 2), np.int64), np.rint(steps).astype(np.int64)])


def _free(there: Places, places: Places, near: Places, far: Places) -> NDArray[np.bool_]:
    """Return the candidate positions at which the edges of a vertex cross no other edge."""
    ends, at = places[near], there[:, None, None]
    along = _orientation(at, ends[:, None], ends[None]) == 0
    free: NDArray[np.bool_] = along.sum(axis=(1, 2)) == len(near)
    if not len(far):
        return free
    a, b = places[far].transpose(1, 0, 2)
    common = (near[:, None, None] == far).any(axis=2)
    from_end = np.sign(_orientation(at, ends[:, None], a)) * np.sign(
        _orientation(at, ends[:, None], b)
    )
    side = np.sign(_orientation(a, b, at))
    meets = (from_end <= 0) & (side * np.sign(_orientation(a, b, ends[:, None])) <= 0)
    # An edge with a common end is met only if it lies along.
    return free & ~np.where(common, side == 0, meets).any(axis=(1, 2))


def _orientation(p: Places, q: Places, r: Places) -> Places:
    """Cross product (q - p) x (r - p): its sign is the orientation, 0 if collinear."""
    one, other = q - p, r - p
    found: Places = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return found


def _energy(
    there: Places, vertex: int, places: Places, near: Places, far: Places, length: float
) -> Points:
    """Return the energy of each candidate position: crowding and lengths of edges."""
    at, points = there / length, places / length
    others = np.delete(points, vertex, axis=0)
    energy: Points = (1 / _squares(at[:, None] - others)).sum(axis=1)
    ends = points[near]
    energy += _squares(at[:, None] - ends).sum(axis=1)
    if len(far):
        a, b = points[far].transpose(1, 0, 2)
        energy += (1 / _squares(_away(at[:, None], a, b - a))).sum(axis=1) / 2
    for end, number in zip(ends, near, strict=True):
        rest = np.delete(points, [vertex, number], axis=0)
        away = _away(rest, at[:, None], end - at[:, None])
        energy += (1 / _squares(away)).sum(axis=1) / 2
    return energy


def _away(point: Points, start: Points, along: Points) -> Points:
    """Return the vectors from the nearest points of edges to points."""
    offset = point - start
    share = (offset * along).sum(axis=-1) / _squares(along)
    found: Points = offset - np.clip(share, 0, 1)[..., None] * along
    return found


def _squares(vectors: Points) -> Points:
    found: Points = np.maximum((vectors * vectors).sum(axis=-1), 1e-18)
    return found

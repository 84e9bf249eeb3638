"""Straight-line drawings of planar graphs without crossings, with even edge lengths.

Faces are triangulated, up to a convex polygon around the graph. If every other vertex is a weighted
mean of its neighbours, with positive weights, no edges cross (Tutte 1963; Floater 2003). In each
round the weights of long edges are increased; the most legible drawing of all rounds is selected.

A local search then moves the vertices, one at a time, away from each other and from edges, and
keeps edges short. Coordinates are integers, so that the drawing stays exactly planar. The
components of a graph are drawn side by side.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.rendering.planar_embedding import Edges, Walk, neighbours, planar_faces

MAX_VERTICES = 120
"""Maximum size of a component: larger drawings take long and are illegible."""

NUM_ROUNDS = 24

GOOD_LEGIBILITY = 0.15
"""Legibility that needs no local search, times the square root of the number of vertices."""

GRID_RADIUS = 2**20
"""Radius of the polygon around a component, in integer units."""

COMPONENT_GAP = 60.0
"""Distance between two components."""

MAX_WIDTH = 1500.0
"""Maximum width of a component; wider ones are drawn on a circle instead."""

Coordinates = NDArray[np.int64]
"""Integer coordinates, one row for each vertex."""

Points = NDArray[np.float64]

MAX_SWEEP_WORK = 30_000
"""Maximum product of sweeps, vertices and edges, so that large graphs get fewer sweeps."""

MAX_SWEEPS = 40

NUM_DIRECTIONS, NUM_LENGTHS = 8, 5


def draw_components(vertices: int, edges: Edges) -> list[tuple[list[int], Coordinates]] | None:
    """Return the components and their coordinates; None if not planar or too large."""
    edges = [(u, v) for u, v in edges if u != v]
    drawings = []
    for component in _components(vertices, edges):
        if len(component) > MAX_VERTICES:
            return None
        coordinates = _draw_component(len(component), _induced_edges(component, edges))
        if coordinates is None:
            return None
        drawings.append((component, coordinates))
    return drawings


def _components(vertices: int, edges: Edges) -> Iterator[list[int]]:
    adjacency = neighbours(vertices, edges)
    seen = [False] * vertices
    for start in range(vertices):
        if seen[start]:
            continue
        seen[start], queue = True, [start]
        for vertex in queue:
            for neighbour in adjacency[vertex]:
                if not seen[neighbour]:
                    seen[neighbour] = True
                    queue.append(neighbour)
        yield sorted(queue)


def _induced_edges(component: Sequence[int], edges: Edges) -> Edges:
    """Return the edges of a component, its vertices renumbered from 0."""
    numbers = {vertex: number for number, vertex in enumerate(component)}
    return [(numbers[u], numbers[v]) for u, v in edges if u in numbers]


def _draw_component(vertices: int, edges: Edges) -> Coordinates | None:
    if vertices <= 2:
        return np.array([[0, 0], [GRID_RADIUS, 0]][:vertices], np.int64).reshape(-1, 2)
    faces = planar_faces(vertices, edges)
    if faces is None:
        return None
    # A long outer face leaves space inside; one without repeated vertices needs no ring.
    outer = max(faces, key=lambda face: (len(face), len(set(face)) == len(face)))
    faces.remove(outer)
    links, polygon, num_points = _triangulate(vertices, edges, faces, outer)
    best, best_legibility = None, 0.0
    for points in _rounds(np.array(links), polygon, num_points):
        round_legibility = legibility(points[:vertices], edges)
        if round_legibility > best_legibility:
            best = np.rint(points[:vertices] * GRID_RADIUS).astype(np.int64)
            best_legibility = round_legibility
    if best is None or has_crossing(best, edges):
        return None
    if best_legibility > GOOD_LEGIBILITY / math.sqrt(vertices):
        return best
    spread = spread_vertices(best, edges, 1.6 * GRID_RADIUS / math.sqrt(vertices))
    is_better = legibility(spread, edges) > legibility(best, edges)
    return spread if is_better and not has_crossing(spread, edges) else best


def _triangulate(
    vertices: int, edges: Edges, faces: Sequence[Walk], outer: Walk
) -> tuple[list[tuple[int, int]], list[int], int]:
    """Return the edges of a triangulation, its outer polygon, and its number of vertices.

    A face that passes each vertex once gets one new vertex, linked to all. Any other gets a ring of
    new vertices first, one for every corner.
    """
    links, num_points = list(edges), vertices
    for face in faces:
        ring = face
        if len(set(face)) < len(face):
            ring, num_points = _add_ring(links, face, num_points)
        if len(ring) > 3:
            links += [(num_points, vertex) for vertex in ring]
            num_points += 1
    if len(set(outer)) < len(outer):
        outer, num_points = _add_ring(links, outer, num_points)
    return links, outer, num_points


def _add_ring(links: list[tuple[int, int]], face: Walk, num_points: int) -> tuple[Walk, int]:
    """Link a face with a ring of new vertices; return the ring and the number of vertices."""
    ring = list(range(num_points, num_points + len(face)))
    for corner, vertex in enumerate(face):
        successor = (corner + 1) % len(face)
        links += [
            (ring[corner], vertex),
            (ring[corner], ring[successor]),
            (ring[corner], face[successor]),
        ]
    return ring, num_points + len(face)


def _rounds(links: NDArray[np.int64], polygon: Walk, num_points: int) -> Iterator[Points]:
    """Yield the coordinates after every round of new weights."""
    points = np.zeros((num_points, 2))
    angles = 2 * math.pi * np.arange(len(polygon)) / len(polygon)
    points[polygon] = np.column_stack([np.sin(angles), -np.cos(angles)])
    free = np.setdiff1d(np.arange(num_points), polygon)
    u, v = links.T
    weights = np.ones(len(links))
    for _ in range(NUM_ROUNDS if len(free) else 1):
        matrix = np.zeros((num_points, num_points))
        np.add.at(matrix, (u, v), weights)
        np.add.at(matrix, (v, u), weights)
        laplacian = np.diag(matrix.sum(axis=1)) - matrix
        right_side = -laplacian[free][:, polygon] @ points[polygon]
        points[free] = np.linalg.solve(laplacian[free][:, free], right_side)
        yield points
        lengths = np.hypot(*(points[u] - points[v]).T)
        weights = weights * np.clip(lengths / lengths.mean(), 0.5, 2) ** 0.5


def max_disc_radius(points: Points, edges: Edges) -> float:
    """Return the radius at which discs on all vertices begin to touch each other or an edge."""
    if len(points) == 1:
        return 1.0
    vertex_distances = np.hypot(*(points[:, None] - points[None]).T)
    np.fill_diagonal(vertex_distances, np.inf)
    radius = float(vertex_distances.min()) / 3.2
    ends = np.array(edges, np.int64)
    starts, directions = points[ends[:, 0]], points[ends[:, 1]] - points[ends[:, 0]]
    from_edges = _from_edges(points[:, None], starts, directions)
    edge_distances = np.hypot(*from_edges.transpose(2, 0, 1))
    edge_distances[ends.T.reshape(-1), np.tile(np.arange(len(ends)), 2)] = np.inf
    return min(radius, float(edge_distances.min()) / 1.2)


def legibility(points: Points | Coordinates, edges: Edges) -> float:
    """Return the disc radius as a fraction of the picture's width or height."""
    extent = float(np.ptp(points, axis=0).max())
    return max_disc_radius(points.astype(np.float64), edges) / extent


def has_crossing(coordinates: Coordinates, edges: Edges) -> bool:
    """Return True if vertices coincide, or edges share more than an end, in exact arithmetic."""
    if len(np.unique(coordinates, axis=0)) < len(coordinates):
        return True
    ends = np.array(edges, np.int64).reshape(-1, 2)
    first, second = np.triu_indices(len(ends), 1)
    a, b = ends[first].T
    c, d = ends[second].T
    p, q, r, s = (coordinates[vertices] for vertices in (a, b, c, d))
    signs = [np.sign(_orientation(*t)) for t in ((p, q, r), (p, q, s), (r, s, p), (r, s, q))]
    disjoint = (a != c) & (a != d) & (b != c) & (b != d)
    meets = (signs[0] * signs[1] <= 0) & (signs[2] * signs[3] <= 0)
    # Edges with a common end overlap only along one line.
    collinear = (signs[0] == 0) & (signs[1] == 0)
    return bool((meets & disjoint & ~collinear).any() or (collinear & _overlap(p, q, r, s)).any())


def _overlap(p: Coordinates, q: Coordinates, r: Coordinates, s: Coordinates) -> NDArray[np.bool_]:
    """Return True for each pair of collinear edges p-q and r-s that share more than an end."""
    direction = q - p
    length = (direction * direction).sum(axis=1)
    first, second = (((end - p) * direction).sum(axis=1) for end in (r, s))
    low, high = np.minimum(first, second), np.maximum(first, second)
    is_overlap: NDArray[np.bool_] = np.minimum(high, length) > np.maximum(low, 0)
    return is_overlap


def planar_page(vertices: int, edges: Edges, disc: float) -> Points | None:
    """Return coordinates at which discs do not touch each other or edges; None if not drawable."""
    components = draw_components(vertices, edges) if vertices else None
    if components is None:
        return None
    page, right_end = np.zeros((vertices, 2)), 0.0
    proper_edges = [(u, v) for u, v in edges if u != v]
    for component, coordinates in components:
        points = (coordinates - coordinates.min(axis=0)).astype(np.float64)
        radius = max_disc_radius(points, _induced_edges(component, proper_edges))
        points *= disc / max(radius, 1e-9)
        if points.max(initial=0.0) > MAX_WIDTH:
            return None
        page[component] = points + np.array([right_end, 0.0])
        right_end += float(points[:, 0].max(initial=0.0)) + COMPONENT_GAP
    return page


def spread_vertices(coordinates: Coordinates, edges: Edges, length: float) -> Coordinates:
    """Return the drawing after a local search for edges of about the given length."""
    coordinates = coordinates.copy()
    ends = np.array(edges, np.int64)
    adjacency = [np.array(adjacent) for adjacent in neighbours(len(coordinates), edges)]
    sweeps = min(MAX_SWEEPS, MAX_SWEEP_WORK // (len(coordinates) * len(ends)))
    for sweep in range(sweeps):
        steps = _steps(length * (1 - sweep / (sweeps + 1)), sweep)
        has_moved = False
        for vertex, adjacent in enumerate(adjacency):
            other_edges = ends[(ends != vertex).all(axis=1)]
            candidates = coordinates[vertex] + steps
            is_free = _without_crossings(candidates, coordinates, adjacent, other_edges)
            is_free[0] = True
            candidates = candidates[is_free]
            energy = _energy(candidates, vertex, coordinates, adjacent, other_edges, length)
            best = int(np.argmin(energy))
            has_moved = has_moved or best > 0
            coordinates[vertex] = candidates[best]
        if not has_moved:
            break
    return coordinates


def _steps(max_length: float, sweep: int) -> Coordinates:
    """Return the steps that a vertex may take: none, then each direction with each length.

    Each length is a quarter of the previous one. Each sweep has different directions.
    """
    directions = 2 * math.pi * (np.arange(NUM_DIRECTIONS) + sweep / 3) / NUM_DIRECTIONS
    lengths = max_length / 4.0 ** np.arange(NUM_LENGTHS)
    radii, angles = (grid.ravel() for grid in np.meshgrid(lengths, directions))
    steps = np.column_stack([radii * np.cos(angles), radii * np.sin(angles)])
    return np.concatenate([np.zeros((1, 2), np.int64), np.rint(steps).astype(np.int64)])


def _without_crossings(
    candidates: Coordinates,
    coordinates: Coordinates,
    adjacent: Coordinates,
    other_edges: Coordinates,
) -> NDArray[np.bool_]:
    """Return True for each candidate at which the edges of a vertex cross no other edge."""
    ends, points = coordinates[adjacent], candidates[:, None, None]
    collinear = _orientation(points, ends[:, None], ends[None]) == 0
    is_free: NDArray[np.bool_] = collinear.sum(axis=(1, 2)) == len(adjacent)
    if not len(other_edges):
        return is_free
    a, b = coordinates[other_edges].transpose(1, 0, 2)
    has_common_end = (adjacent[:, None, None] == other_edges).any(axis=2)
    from_end = np.sign(_orientation(points, ends[:, None], a)) * np.sign(
        _orientation(points, ends[:, None], b)
    )
    side = np.sign(_orientation(a, b, points))
    meets = (from_end <= 0) & (side * np.sign(_orientation(a, b, ends[:, None])) <= 0)
    # Edges with a common end cross only if they are collinear.
    return is_free & ~np.where(has_common_end, side == 0, meets).any(axis=(1, 2))


def _orientation(p: Coordinates, q: Coordinates, r: Coordinates) -> Coordinates:
    """Return the cross product (q - p) x (r - p): its sign is the orientation, 0 if collinear."""
    u, v = q - p, r - p
    cross_product: Coordinates = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    return cross_product


def _energy(
    candidates: Coordinates,
    vertex: int,
    coordinates: Coordinates,
    adjacent: Coordinates,
    other_edges: Coordinates,
    length: float,
) -> Points:
    """Return the energy of a vertex at each candidate: crowding and lengths of edges."""
    positions, points = candidates[:, None] / length, coordinates / length
    energy: Points = (1 / _squares(positions - np.delete(points, vertex, axis=0))).sum(axis=1)
    ends = points[adjacent]
    energy += _squares(positions - ends).sum(axis=1)
    if len(other_edges):
        a, b = points[other_edges].transpose(1, 0, 2)
        energy += (1 / _squares(_from_edges(positions, a, b - a))).sum(axis=1) / 2
    for end, neighbour in zip(ends, adjacent, strict=True):
        other_points = np.delete(points, [vertex, neighbour], axis=0)
        distances = _squares(_from_edges(other_points, positions, end - positions))
        energy += (1 / distances).sum(axis=1) / 2
    return energy


def _from_edges(points: Points, starts: Points, directions: Points) -> Points:
    """Return the vectors from the nearest points of edges to points."""
    offsets = points - starts
    shares = (offsets * directions).sum(axis=-1) / _squares(directions)
    vectors: Points = offsets - np.clip(shares, 0, 1)[..., None] * directions
    return vectors


def _squares(vectors: Points) -> Points:
    """Return the squared lengths of vectors, with a tiny lower bound that avoids division by 0."""
    squares: Points = np.maximum((vectors * vectors).sum(axis=-1), 1e-18)
    return squares

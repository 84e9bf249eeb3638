"""Vertices of a drawing moved one at a time to where there is more room, without crossings.

Vertices keep away from each other and from edges, and edges stay short. Of a few directions and
lengths the best is taken, in whole numbers, so that the drawing stays exactly planar.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.rendering.layout.embedding import Edges, neighbours

Places = NDArray[np.int64]
"""A row of two coordinates for every vertex."""

Points = NDArray[np.float64]

WORK = 30_000
"""Sweeps over all vertices, times vertices and edges; so a large graph is moved less."""

MOST_SWEEPS = 40
DIRECTIONS, LENGTHS = 8, 5


def moved_apart(places: Places, edges: Edges, length: float) -> Places:
    """The same drawing with its edges about as long as that, if there is room."""
    places = places.copy()
    ends = np.array(edges, np.int64)
    around = [np.array(others) for others in neighbours(len(places), edges)]
    sweeps = min(MOST_SWEEPS, WORK // (len(places) * len(ends)))
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
    """None, then all directions in all lengths, each a quarter of the one before."""
    angles = 2 * math.pi * (np.arange(DIRECTIONS) + turn / 3) / DIRECTIONS
    lengths = longest / 4.0 ** np.arange(LENGTHS)
    radii, turns = (grid.ravel() for grid in np.meshgrid(lengths, angles))
    steps = np.column_stack([radii * np.cos(turns), radii * np.sin(turns)])
    return np.concatenate([np.zeros((1, 2), np.int64), np.rint(steps).astype(np.int64)])


def _free(there: Places, places: Places, near: Places, far: Places) -> NDArray[np.bool_]:
    """Where the edges of a vertex that is put there meet no other edge, but at common ends."""
    ends, at = places[near], there[:, None, None]
    along = _turns(at, ends[:, None], ends[None]) == 0
    free: NDArray[np.bool_] = along.sum(axis=(1, 2)) == len(near)
    if not len(far):
        return free
    a, b = places[far].transpose(1, 0, 2)
    common = (near[:, None, None] == far).any(axis=2)
    from_end = np.sign(_turns(at, ends[:, None], a)) * np.sign(_turns(at, ends[:, None], b))
    side = np.sign(_turns(a, b, at))
    meets = (from_end <= 0) & (side * np.sign(_turns(a, b, ends[:, None])) <= 0)
    # An edge with a common end is met only if it lies along.
    return free & ~np.where(common, side == 0, meets).any(axis=(1, 2))


def _turns(p: Places, q: Places, r: Places) -> Places:
    """To which side of the way from p to q each r lies; 0 on it."""
    one, other = q - p, r - p
    found: Places = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return found


def _energy(
    there: Places, vertex: int, places: Places, near: Places, far: Places, length: float
) -> Points:
    """How crowded a vertex would be at each place, and how long its edges."""
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
    """From the nearest place of an edge to a point."""
    offset = point - start
    share = (offset * along).sum(axis=-1) / _squares(along)
    found: Points = offset - np.clip(share, 0, 1)[..., None] * along
    return found


def _squares(vectors: Points) -> Points:
    found: Points = np.maximum((vectors * vectors).sum(axis=-1), 1e-18)
    return found

"""The components of a planar graph side by side, as large as its discs need."""

from __future__ import annotations

import numpy as np

from boardsat.adapters.rendering.layout.embedding import Edges
from boardsat.adapters.rendering.layout.spreading import Points
from boardsat.adapters.rendering.layout.straight import placed, room

GAP = 60.0
"""Between two components."""

LARGEST = 1500.0
"""Of a component: where its discs need more room, they are not drawn like this."""


def planar_page(vertices: int, edges: Edges, disc: float) -> Points | None:
    """A place for each vertex, so that discs touch neither each other nor edges; None if none."""
    components = placed(vertices, edges) if vertices else None
    if components is None:
        return None
    page, right = np.zeros((vertices, 2)), 0.0
    for members, places in components:
        number = {vertex: place for place, vertex in enumerate(members)}
        own = [(number[u], number[v]) for u, v in edges if u in number and u != v]
        points = (places - places.min(axis=0)).astype(np.float64)
        points *= disc / max(room(points, own), 1e-9)
        if points.max(initial=0.0) > LARGEST:
            return None
        page[members] = points + np.array([right, 0.0])
        right += float(points[:, 0].max(initial=0.0)) + GAP
    return page

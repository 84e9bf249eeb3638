"""Tours for tests: plain search, decoded models, boards and graphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, product
from typing import Any

import pytest

from boardsat.generators import Formula, find
from boardsat.generators.sections.parameters import parameters_of
from boardsat.generators.spec.catalogue import encodings_of
from helpers.formulas import (
    counted_variables,
    members,
    shipped,
    solutions,
)

# Undirected encodings are tested in test_undirected.py.
DIRECTED = [
    encoding
    for encoding in encodings_of("tour")
    if find("tour", encoding).decode[0].kind in ("order", "arcs")
]
TOURS = [f"tour/{encoding}" for encoding in DIRECTED]

Neighbours = list[list[int]]
Tour = tuple[int, ...]


@cache
def has_parameter(name: str, parameter: str) -> bool:
    """Return whether a spec has a parameter."""
    return any(p.name == parameter for p in parameters_of(find(name)))


def shipped_lenient(name: str, **settings: Any) -> Formula:
    """Return the formula of a spec; settings of other parameters are ignored."""
    return shipped(
        name, **{key: value for key, value in settings.items() if has_parameter(name, key)}
    )


def leaper(rows: int, cols: int, *steps: tuple[int, int]) -> Neighbours:
    """Return the cells that a leaper reaches from each cell of a rectangle."""
    pairs = {pair for a, b in steps for pair in ((a, b), (b, a))}
    cells = list(product(range(rows), range(cols)))
    return [
        [
            cells.index((x, y))
            for x, y in cells
            if (abs(x - r), abs(y - c)) in pairs and (x, y) != (r, c)
        ]
        for r, c in cells
    ]


def search_tours(neighbours: Neighbours, start: int, closed: bool) -> Iterator[Tour]:
    """Yield all tours by depth-first search."""

    def extend(path: Tour) -> Iterator[Tour]:
        if len(path) == len(neighbours):
            # A move and its reverse are not a cycle.
            if not closed or (len(path) > 2 and path[0] in neighbours[path[-1]]):
                yield path
            return
        for cell in neighbours[path[-1]]:
            if cell not in path:
                yield from extend((*path, cell))

    return extend((start,))


def decoded_tours(formula: Formula, start: int = 0) -> list[Tour]:
    """Return the tour of each counted model, decoded by the view in the header."""
    (view,) = formula.header.views.model_views
    index_of = {number: index for index, number in members(formula, view["variable"]).items()}
    return [
        _decoded_tour([index_of[v] for v in model if v in index_of], view, start)
        for model in solutions(formula, counted_variables(formula))
    ]


def _decoded_tour(indices: list[tuple[int, ...]], view: dict[str, Any], start: int) -> Tour:
    if view["view"] == "order":
        cell_at = {index[view["position"]]: index[view["cell"]] for index in indices}
        assert len(cell_at) == len(indices)
        return tuple(cell_at[p] for p in range(len(cell_at)))
    successor = {index[view["from"]]: index[view["to"]] for index in indices}
    assert len(successor) == len(indices)
    tour = [start]
    while successor.get(tour[-1], start) != start:
        tour.append(successor[tour[-1]])
    assert len(indices) - len(tour) in (0, -1), "there are moves outside the tour"
    return tuple(tour)


def count_pairs(k: int) -> int:
    return k * (k - 1) // 2


def switch_settings(*names: str, quick: tuple[bool, ...] = (False, True)) -> list[Any]:
    """Return all settings of switches; mixed ones are slow."""
    settings = product([False, True], repeat=len(names))
    return [
        pytest.param(
            dict(zip(names, values, strict=True)),
            marks=[] if any(set(values) == {value} for value in quick) else [pytest.mark.slow],
        )
        for values in settings
    ]


BOARDS: list[tuple[int, int, str, list[tuple[int, int]]]] = [
    (2, 3, "wazir", [(0, 1)]),
    (3, 4, "0,1", [(0, 1)]),
    (3, 3, "king", [(0, 1), (1, 1)]),
    (3, 3, "knight+wazir", [(1, 2), (0, 1)]),
    (3, 4, "knight", [(1, 2)]),
    (2, 5, "1,3+wazir", [(1, 3), (0, 1)]),
    (4, 3, "camel+0,1", [(1, 3), (0, 1)]),
    (3, 4, "ferz", [(1, 1)]),
    (1, 2, "wazir", [(0, 1)]),
]


def cycle(n: int) -> list[tuple[int, int]]:
    return [(k, (k + 1) % n) for k in range(n)]


GRAPH_EDGES = {
    "one": [],
    "edge": [(0, 1)],
    "path": [(0, 1), (1, 2), (2, 3)],
    "star": [(0, 1), (0, 2), (0, 3)],
    "apart": [(0, 1), (2, 3)],
    "cycle": cycle(7),
    "wheel": [*cycle(5), *((5, k) for k in range(5))],
    "four": list(combinations(range(4), 2)),
    "five": list(combinations(range(5), 2)),
    "bipartite": list(product(range(3), range(3, 6))),
}


Edges = frozenset[tuple[int, int]]


def searched_tour_edges(neighbours: Neighbours, start: int = 0, closed: bool = True) -> list[Edges]:
    """Return the edges of each undirected tour, by search."""
    tours = {
        frozenset((min(step), max(step)) for step in pairwise((*tour, start) if closed else tour))
        for tour in search_tours(neighbours, start, closed)
    }
    return sorted(tours, key=sorted)


def adjacency_lists(n: int, edges: Sequence[tuple[int, int]]) -> Neighbours:
    near: Neighbours = [[] for _ in range(n)]
    for u, v in edges:
        near[u].append(v)
        near[v].append(u)
    return near


def flower_snark(k: int) -> list[tuple[int, int]]:
    """Return the edges of k stars whose leaves form cycles of length k and 2k (Isaacs)."""
    edges = [(4 * i, 4 * i + leaf) for i, leaf in product(range(k), (1, 2, 3))]
    edges += [(4 * i + 1, 4 * ((i + 1) % k) + 1) for i in range(k)]
    cycle = [4 * i + 2 for i in range(k)] + [4 * i + 3 for i in range(k)]
    return edges + [(cycle[i], cycle[(i + 1) % (2 * k)]) for i in range(2 * k)]

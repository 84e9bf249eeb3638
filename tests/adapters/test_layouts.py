"""Planar graphs are drawn without crossings: by an exact test, with networkx as the judge."""

from __future__ import annotations

import random
from itertools import combinations

import networkx
import pytest

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rendering import planar_drawing
from boardsat.adapters.rendering._graph_canvas import GraphCanvas
from boardsat.adapters.rendering.planar_drawing import MAX_VERTICES, draw_components, planar_page
from boardsat.adapters.rendering.planar_embedding import planar_faces

Point = tuple[int, int]
SOLIDS = {
    "tetrahedron": networkx.tetrahedral_graph(),
    "cube": networkx.cubical_graph(),
    "octahedron": networkx.octahedral_graph(),
    "dodecahedron": networkx.dodecahedral_graph(),
    "icosahedron": networkx.icosahedral_graph(),
}


def triangulation(draw: random.Random, n: int) -> networkx.Graph:
    """Vertices put into triangles one after the other, then some edges away."""
    graph = networkx.complete_graph(3)
    faces = [(0, 1, 2), (0, 1, 2)]
    for vertex in range(3, n):
        a, b, c = faces.pop(draw.randrange(len(faces)))
        graph.add_edges_from([(vertex, a), (vertex, b), (vertex, c)])
        faces += [(a, b, vertex), (b, c, vertex), (a, c, vertex)]
    edges = list(graph.edges)
    graph.remove_edges_from(draw.sample(edges, draw.randrange(len(edges))))
    return graph


def planar(seed: int) -> networkx.Graph:
    draw = random.Random(seed)
    kind = seed % 5
    if kind == 0:
        graph = networkx.random_labeled_tree(draw.randrange(1, 25), seed=seed)
    elif kind == 1:
        sizes = draw.randrange(1, 6), draw.randrange(1, 6)
        graph = networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(*sizes))
    elif kind == 2:
        parts = [triangulation(draw, draw.randrange(3, 9)) for _ in range(3)]
        graph = networkx.disjoint_union_all(parts)
        for _ in range(draw.randrange(3)):
            # Two vertices become one: a cut vertex, where they are of different parts.
            u, v = draw.sample(sorted(graph), 2)
            merged = networkx.contracted_nodes(graph, u, v, self_loops=False, copy=True)
            if networkx.check_planarity(merged)[0]:
                graph = merged
    else:
        graph = triangulation(draw, draw.randrange(3, 22))
    names = sorted(graph)
    draw.shuffle(names)
    return networkx.relabel_nodes(graph, {name: place for place, name in enumerate(names)})


def edges_of(graph: networkx.Graph) -> list[tuple[int, int]]:
    return [(min(edge), max(edge)) for edge in graph.edges]


def side(p: Point, q: Point, r: Point) -> int:
    value = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    return (value > 0) - (value < 0)


def within(p: Point, q: Point, r: Point) -> bool:
    """Whether r lies on the edge from p to q, its ends included."""
    inside = all(min(a, b) <= c <= max(a, b) for a, b, c in zip(p, q, r, strict=True))
    return side(p, q, r) == 0 and inside


def meet(at: dict[int, Point], one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two edges have more in common than an end of both, in whole numbers."""
    (p, q), (r, s) = ((at[u], at[v]) for u, v in (one, other))
    common = set(one) & set(other)
    if any(within(p, q, at[v]) for v in set(other) - common):
        return True
    if any(within(r, s, at[v]) for v in set(one) - common):
        return True
    return not common and side(p, q, r) != side(p, q, s) and side(r, s, p) != side(r, s, q)


def assert_without_crossings(vertices: int, edges: list[tuple[int, int]]) -> None:
    components = draw_components(vertices, edges)
    assert components is not None
    assert sorted(v for members, _ in components for v in members) == [*range(vertices)]
    for members, places in components:
        at = dict(zip(members, map(tuple, places.tolist()), strict=True))
        assert len(set(at.values())) == len(members)
        own = [edge for edge in edges if edge[0] in at]
        assert not any(meet(at, one, other) for one, other in combinations(own, 2))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly spread: whether edges cross does not depend on it."""
    monkeypatch.setattr(planar_drawing, "MAX_SWEEPS", 1)


def test_drawings_that_are_spread_out(monkeypatch):
    monkeypatch.setattr(planar_drawing, "GOOD_LEGIBILITY", 9.0)
    for seed in (2, 8):
        graph = planar(seed)
        assert_without_crossings(len(graph), edges_of(graph))


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("part", range(10))
def test_planar_graphs_of_all_kinds(part):
    """Trees, grids, triangulations without some edges, several parts, cut vertices: 200 of them."""
    for seed in range(20 * part, 20 * part + 20):
        graph = planar(seed)
        assert_without_crossings(len(graph), edges_of(graph))


@pytest.mark.parametrize("name", SOLIDS)
def test_platonic_solids(name):
    graph = SOLIDS[name]
    assert_without_crossings(len(graph), edges_of(graph))
    faces = planar_faces(len(graph), edges_of(graph))
    assert faces is not None and len(graph) - graph.number_of_edges() + len(faces) == 2
    assert len({len(face) for face in faces}) == 1


@pytest.mark.usefixtures("quick")
def test_a_graph_is_refused_exactly_if_it_is_not_planar():
    found = set()
    for seed in range(60):
        draw = random.Random(seed)
        graph = networkx.gnm_random_graph(draw.randrange(5, 11), draw.randrange(8, 22), seed=seed)
        is_planar = networkx.check_planarity(graph)[0]
        assert (draw_components(len(graph), edges_of(graph)) is not None) == is_planar
        found.add(is_planar)
    assert found == {True, False}
    for graph in (networkx.petersen_graph(), networkx.complete_graph(5)):
        assert draw_components(len(graph), edges_of(graph)) is None


def test_nothing_and_next_to_nothing():
    assert planar_page(0, [], 13) is None
    for vertices, edges in ((1, []), (2, []), (2, [(0, 1)]), (3, [(0, 1)])):
        assert_without_crossings(vertices, edges)


def test_the_same_graph_is_drawn_the_same_way():
    edges = edges_of(SOLIDS["dodecahedron"])
    first, again = planar_page(20, edges, 13), planar_page(20, edges[::-1], 13)
    assert first is not None and again is not None
    assert (first == planar_page(20, edges, 13)).all()


def canvas(vertices: int, edges: list[tuple[int, int]]) -> GraphCanvas:
    return GraphCanvas(GraphBoard(vertices, 0, frozenset(edges)))


def test_discs_touch_neither_discs_nor_edges():
    for seed in range(0, 60, 7):
        graph = planar(seed)
        drawn = canvas(len(graph), edges_of(graph))
        if drawn.planar is None:
            continue
        at = [complex(*drawn.centre(v)) for v in range(len(graph))]
        assert all(abs(a - b) > 26 for a, b in combinations(at, 2))
        assert all(0 < p.real < drawn.width and 0 < p.imag < drawn.height for p in at)


def test_a_large_one_is_on_a_circle_as_before():
    n = MAX_VERTICES + 1
    drawn = canvas(n, [(v, v + 1) for v in range(n - 1)])
    assert drawn.planar is None and drawn.width == drawn.height

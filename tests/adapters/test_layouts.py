"""Planar drawings: no crossings, by an exact test; planarity as decided by NetworkX."""

from __future__ import annotations

import random
from itertools import combinations

import networkx
import pytest

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.rendering import planar_drawing
from boardsat.adapters.rendering._canvases import GraphCanvas
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


def triangulation(rng: random.Random, n: int) -> networkx.Graph:
    """Return a random planar graph: vertices inserted into triangles, then some edges removed."""
    graph = networkx.complete_graph(3)
    faces = [(0, 1, 2), (0, 1, 2)]
    for vertex in range(3, n):
        a, b, c = faces.pop(rng.randrange(len(faces)))
        graph.add_edges_from([(vertex, a), (vertex, b), (vertex, c)])
        faces += [(a, b, vertex), (b, c, vertex), (a, c, vertex)]
    edges = list(graph.edges)
    graph.remove_edges_from(rng.sample(edges, rng.randrange(len(edges))))
    return graph


def planar(seed: int) -> networkx.Graph:
    """Return a random planar graph: a tree, a grid, several components, or a triangulation."""
    rng = random.Random(seed)
    family = seed % 5
    if family == 0:
        graph = networkx.random_labeled_tree(rng.randrange(1, 25), seed=seed)
    elif family == 1:
        sizes = rng.randrange(1, 6), rng.randrange(1, 6)
        graph = networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(*sizes))
    elif family == 2:
        components = [triangulation(rng, rng.randrange(3, 9)) for _ in range(3)]
        graph = networkx.disjoint_union_all(components)
        for _ in range(rng.randrange(3)):
            # Identify two vertices: a cut vertex, if they are of different components.
            u, v = rng.sample(sorted(graph), 2)
            merged = networkx.contracted_nodes(graph, u, v, self_loops=False, copy=True)
            if networkx.check_planarity(merged)[0]:
                graph = merged
    else:
        graph = triangulation(rng, rng.randrange(3, 22))
    names = sorted(graph)
    rng.shuffle(names)
    return networkx.relabel_nodes(graph, {name: number for number, name in enumerate(names)})


def edges_of(graph: networkx.Graph) -> list[tuple[int, int]]:
    return [(min(edge), max(edge)) for edge in graph.edges]


def orientation(p: Point, q: Point, r: Point) -> int:
    value = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    return (value > 0) - (value < 0)


def is_on_edge(p: Point, q: Point, r: Point) -> bool:
    """Return True if r lies on the edge from p to q, including its ends."""
    in_box = all(min(a, b) <= c <= max(a, b) for a, b, c in zip(p, q, r, strict=True))
    return orientation(p, q, r) == 0 and in_box


def has_crossing(points: dict[int, Point], first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Return True if two edges share more than a common end, in exact arithmetic."""
    (p, q), (r, s) = ((points[u], points[v]) for u, v in (first, second))
    common = set(first) & set(second)
    if any(is_on_edge(p, q, points[v]) for v in set(second) - common):
        return True
    if any(is_on_edge(r, s, points[v]) for v in set(first) - common):
        return True
    return (
        not common
        and orientation(p, q, r) != orientation(p, q, s)
        and orientation(r, s, p) != orientation(r, s, q)
    )


def assert_without_crossings(vertices: int, edges: list[tuple[int, int]]) -> None:
    components = draw_components(vertices, edges)
    assert components is not None
    assert sorted(v for component, _ in components for v in component) == [*range(vertices)]
    for component, coordinates in components:
        points = dict(zip(component, map(tuple, coordinates.tolist()), strict=True))
        assert len(set(points.values())) == len(component)
        component_edges = [edge for edge in edges if edge[0] in points]
        assert not any(has_crossing(points, *pair) for pair in combinations(component_edges, 2))


@pytest.fixture
def _one_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the local search, which does not change whether edges cross."""
    monkeypatch.setattr(planar_drawing, "MAX_SWEEPS", 1)


def test_local_search_introduces_no_crossings(monkeypatch):
    monkeypatch.setattr(planar_drawing, "GOOD_LEGIBILITY", 9.0)
    for seed in (2, 8):
        graph = planar(seed)
        assert_without_crossings(len(graph), edges_of(graph))


@pytest.mark.usefixtures("_one_sweep")
@pytest.mark.parametrize("batch", range(10))
def test_planar_graphs_are_drawn_without_crossings(batch):
    """200 trees, grids, subgraphs of triangulations, and graphs with several components."""
    for seed in range(20 * batch, 20 * batch + 20):
        graph = planar(seed)
        assert_without_crossings(len(graph), edges_of(graph))


@pytest.mark.parametrize("name", SOLIDS)
def test_faces_of_platonic_solids_satisfy_euler_and_have_equal_lengths(name):
    graph = SOLIDS[name]
    assert_without_crossings(len(graph), edges_of(graph))
    faces = planar_faces(len(graph), edges_of(graph))
    assert faces is not None and len(graph) - graph.number_of_edges() + len(faces) == 2
    assert len({len(face) for face in faces}) == 1


@pytest.mark.usefixtures("_one_sweep")
def test_draw_components_returns_none_exactly_for_nonplanar_graphs():
    answers = set()
    for seed in range(60):
        rng = random.Random(seed)
        graph = networkx.gnm_random_graph(rng.randrange(5, 11), rng.randrange(8, 22), seed=seed)
        is_planar = networkx.check_planarity(graph)[0]
        assert (draw_components(len(graph), edges_of(graph)) is not None) == is_planar
        answers.add(is_planar)
    assert answers == {True, False}
    for graph in (networkx.petersen_graph(), networkx.complete_graph(5)):
        assert draw_components(len(graph), edges_of(graph)) is None


def test_graphs_of_at_most_three_vertices_are_drawn():
    assert planar_page(0, [], 13) is None
    for vertices, edges in ((1, []), (2, []), (2, [(0, 1)]), (3, [(0, 1)])):
        assert_without_crossings(vertices, edges)


def test_drawing_is_deterministic():
    edges = edges_of(SOLIDS["dodecahedron"])
    first, reordered = planar_page(20, edges, 13), planar_page(20, edges[::-1], 13)
    assert first is not None and reordered is not None
    assert (first == planar_page(20, edges, 13)).all()


def canvas(vertices: int, edges: list[tuple[int, int]]) -> GraphCanvas:
    return GraphCanvas(GraphBoard(vertices, 0, frozenset(edges)))


def test_discs_do_not_touch_and_are_on_the_page():
    for seed in range(0, 60, 7):
        graph = planar(seed)
        graph_canvas = canvas(len(graph), edges_of(graph))
        if graph_canvas.planar is None:
            continue
        centres = [complex(*graph_canvas.centre(v)) for v in range(len(graph))]
        assert all(abs(a - b) > 26 for a, b in combinations(centres, 2))
        assert all(
            0 < p.real < graph_canvas.width and 0 < p.imag < graph_canvas.height for p in centres
        )


def test_large_component_is_drawn_on_a_circle():
    n = MAX_VERTICES + 1
    graph_canvas = canvas(n, [(v, v + 1) for v in range(n - 1)])
    assert graph_canvas.planar is None and graph_canvas.width == graph_canvas.height

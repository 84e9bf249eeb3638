"""Graphs with hard Hamiltonian cycle problems, against NetworkX, theorems and plain search."""

from __future__ import annotations

from typing import Any

import networkx
import pytest
from helpers.tour_search import search_tours

from boardsat.generators import InputError
from boardsat.generators.build_limits import outside_limits
from boardsat.generators.graphs.namespace import graph_of_setting


def construct(text: str) -> Any:
    """Return the graph of a construction as one of NetworkX."""
    with outside_limits():
        constructed = graph_of_setting("", text, "g", int)
    graph = networkx.empty_graph(constructed.vertices)
    graph.add_edges_from(constructed.edges.tolist())
    assert constructed.construction == text
    assert graph.number_of_edges() == len(constructed.edges)
    return graph


def cycles(graph: Any) -> list[tuple[int, ...]]:
    """Return the Hamiltonian cycles, in both directions."""
    return [*search_tours([sorted(graph[v]) for v in range(len(graph))], 0, closed=True)]


def edges_of(cycle: tuple[int, ...]) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in zip(cycle, (*cycle[1:], cycle[0]), strict=True)}


def is_cubic(graph: Any) -> bool:
    return {degree for _, degree in graph.degree} == {3}


@pytest.mark.parametrize(("n", "k"), [(3, 1), (5, 2), (7, 2), (8, 3), (11, 5), (12, 4)])
def test_petersen_graph_equals_networkx(n, k):
    assert sorted(construct(f"petersen {n} {k}").edges) == sorted(
        tuple(sorted(edge)) for edge in networkx.generalized_petersen_graph(n, k).edges
    )


def test_petersen_graph_is_hamiltonian_by_theorem_of_alspach():
    for n in range(3, 12):
        for k in range(1, (n + 1) // 2):
            is_exception = n % 6 == 5 and k in (2, (n - 1) // 2)
            assert bool(cycles(construct(f"petersen {n} {k}"))) != is_exception, (n, k)


def test_flower_is_ring_of_stars():
    for k in (3, 4, 5, 6):
        expected = networkx.Graph([((i, 0), (i, leaf)) for i in range(k) for leaf in (1, 2, 3)])
        networkx.add_cycle(expected, [(i, 1) for i in range(k)])
        networkx.add_cycle(expected, [(i, leaf) for leaf in (2, 3) for i in range(k)])
        graph = construct(f"flower {k}")
        assert is_cubic(graph) and networkx.is_isomorphic(graph, expected)
        # Flowers of odd size are snarks, but for that of 3, which is not Hamiltonian either.
        assert bool(cycles(graph)) == (k % 2 == 0)


@pytest.mark.parametrize(("m", "n", "c"), [(1, 8, 1), (2, 8, 1), (5, 14, 2), (4, 40, 6)])
def test_cubiccuts_joins_successive_graphs_by_2c_edges(m, n, c):
    graph = construct(f"cubiccuts {m} {n} {c} 3")
    assert is_cubic(graph) and len(graph) == m * n
    between = sorted((u // n, v // n) for u, v in graph.edges if u // n != v // n)
    assert between == sorted((index, index + 1) for index in range(m - 1) for _ in range(2 * c))
    assert construct(f"cubiccuts {m} {n} {c} 4").edges != graph.edges


def test_triangulation_and_dual_are_planar_and_maximal():
    for n in (4, 5, 8, 30, 200):
        graph = construct(f"triangulation {n} {n}")
        assert networkx.check_planarity(graph)[0]
        assert (len(graph), graph.number_of_edges()) == (n, 3 * n - 6)
    for n in (4, 6, 20, 100):
        graph = construct(f"cubicplanar {n} {n}")
        assert is_cubic(graph) and len(graph) == n and networkx.check_planarity(graph)[0]
        assert networkx.node_connectivity(graph) == 3


def test_triangulation_over_many_seeds_yields_every_isomorphism_class():
    """There are two triangulations of six vertices, and five of seven (OEIS A000109)."""
    for n, count in ((6, 2), (7, 5)):
        classes: list[Any] = []
        for seed in range(60):
            graph = construct(f"triangulation {n} {seed}")
            if not any(networkx.is_isomorphic(graph, representative) for representative in classes):
                classes.append(graph)
        assert len(classes) == count


def test_plantcycle_adds_hamiltonian_cycle():
    graph = construct("empty 12 plantcycle 5")
    assert networkx.is_isomorphic(graph, networkx.cycle_graph(12))
    assert set(construct("gnm 12 20 1 plantcycle 5").edges) == set(graph.edges) | set(
        construct("gnm 12 20 1").edges
    )


def test_ring_cycles_use_first_edge_of_every_copy():
    assert construct("petersen 4 1 ring 1").edges == construct("petersen 4 1").edges
    graph = construct("petersen 4 1 ring 3")
    assert is_cubic(graph) and networkx.edge_connectivity(graph) == 2
    through = [c for c in cycles(construct("petersen 4 1")) if frozenset((0, 1)) in edges_of(c)]
    assert len(cycles(graph)) == 2 * (len(through) // 2) ** 3
    assert not cycles(construct("petersen 5 2 ring 2"))


@pytest.mark.parametrize("text", ["complete 4", "complete 5", "petersen 3 1", "grid 2 4"])
def test_xor_gadget_allows_cycles_with_exactly_one_edge(text):
    old = construct(text)
    for seed in range(4):
        graph = construct(f"{text} xor 1 {seed}")
        assert len(graph) == len(old) + 12
        joined = {frozenset(edge) for edge in old.edges if not graph.has_edge(*edge)}
        assert len(joined) == 2
        expected = [cycle for cycle in cycles(old) if len(joined & edges_of(cycle)) == 1]
        assert len(cycles(graph)) == len(expected)


@pytest.mark.parametrize("text", ["complete 4", "petersen 3 1", "grid 2 3"])
def test_tutte_fragment_forces_one_edge_of_its_vertex(text):
    old = construct(text)
    for seed in range(4):
        graph = construct(f"{text} tutte 1 {seed}")
        assert len(graph) == len(old) + 14
        (vertex,) = [v for v in old if sum(w >= len(old) for w in graph[v]) == 2]
        (forced,) = [frozenset((vertex, w)) for w in graph[vertex] if w < len(old)]
        contracted = {v: vertex if v >= len(old) else v for v in graph}
        contracted_cycles = {
            frozenset(
                edge
                for u, v in cycle
                if len(edge := frozenset((contracted[u], contracted[v]))) == 2
            )
            for cycle in map(edges_of, cycles(graph))
        }
        expected = {frozenset(edges_of(c)) for c in cycles(old) if forced in edges_of(c)}
        assert contracted_cycles == expected


def test_three_fragments_in_complete_graph_are_tutte_graph():
    # With this seed all three fragments force the edge to the fourth vertex.
    assert networkx.is_isomorphic(construct("complete 4 tutte 3 149"), networkx.tutte_graph())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("petersen 2 1", r"petersen: n must be at least 3 \(got 2\)"),
        ("petersen 6 3", r"petersen: k must be between 1 and 2 for n = 6 \(got 3\)"),
        ("flower 2", r"flower: k must be at least 3 \(got 2\)"),
        ("cubiccuts 0 8 1 1", r"cubiccuts: m must be at least 1 \(got 0\)"),
        ("cubiccuts 2 7 1 1", r"cubiccuts: n must be an even number of at least 8 \(got 7\)"),
        ("cubiccuts 2 8 2 1", r"cubiccuts: c must be between 1 and 1 for n = 8 \(got 2\)"),
        ("triangulation 3 1", r"triangulation: n must be at least 4 \(got 3\)"),
        ("cubicplanar 7 1", r"cubicplanar: n must be an even number of at least 4 \(got 7\)"),
        (
            "complete 2 plantcycle 1",
            r"plantcycle: the number of vertices must be at least 3 \(got 2\)",
        ),
        ("empty 3 ring 2", r"ring: the number of edges must be at least 1 \(got 0\)"),
        ("complete 3 xor 2 1", r"xor: k must be between 0 and 1 for 3 edges \(got 2\)"),
        (
            "complete 5 tutte 1 1",
            r"tutte: k must be between 0 and 0 for 0 vertices of degree 3",
        ),
        ("petersen 5", r"petersen: expected 2 arguments \(got 1\); write `petersen N K`"),
    ],
)
def test_construction_with_invalid_argument_is_rejected(text, fault):
    with pytest.raises(InputError, match=fault):
        construct(text)


@pytest.mark.parametrize(
    "text",
    [
        "petersen 1000000000 2",
        "flower 1000000000",
        "cubiccuts 1000000 1000000 1 1",
        "triangulation 100000000 1",
        "cubicplanar 100000000 1",
        "complete 4 ring 1000000000",
        "gnd 100000 3 1 ring 1000000",
    ],
)
def test_huge_graph_is_rejected_before_construction(text):
    with pytest.raises(InputError, match="the graph needs too much"):
        construct(text)


def test_seed_determines_graph_in_every_version():
    def checksum(text: str) -> int:
        return sum((u + 1) * (v + 1) for u, v in construct(text).edges)

    texts = ("cubiccuts 3 10 1 1", "triangulation 20 1", "cubicplanar 20 1", "complete 6 xor 2 1")
    assert [checksum(text) for text in texts] == [13598, 4947, 3923, 11543]

"""Graphs made to be hard for Hamiltonian cycles, against NetworkX, theorems and a plain search."""

from __future__ import annotations

from typing import Any

import networkx
import pytest
from helpers.tour_search import search

from boardsat.generators import InputError
from boardsat.generators.build_limits import outside_limits
from boardsat.generators.graphs.namespace import graph_of


def made(text: str) -> Any:
    with outside_limits():
        graph = graph_of("", text, "g", int)
    found = networkx.empty_graph(graph.vertices)
    found.add_edges_from(graph.edges.tolist())
    assert graph.construction == text and found.number_of_edges() == len(graph.edges)
    return found


def cycles(graph: Any) -> list[tuple[int, ...]]:
    """All Hamiltonian cycles, in both directions."""
    return [*search([sorted(graph[v]) for v in range(len(graph))], 0, closed=True)]


def pairs_of(cycle: tuple[int, ...]) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in zip(cycle, (*cycle[1:], cycle[0]), strict=True)}


def is_cubic(graph: Any) -> bool:
    return {degree for _, degree in graph.degree} == {3}


@pytest.mark.parametrize(("n", "k"), [(3, 1), (5, 2), (7, 2), (8, 3), (11, 5), (12, 4)])
def test_petersen_graphs_are_those_of_networkx(n, k):
    assert sorted(made(f"petersen {n} {k}").edges) == sorted(
        tuple(sorted(edge)) for edge in networkx.generalized_petersen_graph(n, k).edges
    )


def test_petersen_graphs_have_cycles_where_the_theorem_says_so():
    for n in range(3, 12):
        for k in range(1, (n + 1) // 2):
            none = n % 6 == 5 and k in (2, (n - 1) // 2)
            assert bool(cycles(made(f"petersen {n} {k}"))) != none, (n, k)


def test_flowers_are_stars_in_a_ring():
    for k in (3, 4, 5, 6):
        theirs = networkx.Graph([((i, 0), (i, tip)) for i in range(k) for tip in (1, 2, 3)])
        networkx.add_cycle(theirs, [(i, 1) for i in range(k)])
        networkx.add_cycle(theirs, [(i, tip) for tip in (2, 3) for i in range(k)])
        graph = made(f"flower {k}")
        assert is_cubic(graph) and networkx.is_isomorphic(graph, theirs)
        # The snarks are those of odd size; that of 3 has a triangle, and no cycle either.
        assert bool(cycles(graph)) == (k % 2 == 0)


@pytest.mark.parametrize(("m", "n", "c"), [(1, 8, 1), (2, 8, 1), (5, 14, 2), (4, 40, 6)])
def test_cubic_graphs_in_a_row_are_joined_by_few_edges(m, n, c):
    graph = made(f"cubiccuts {m} {n} {c} 3")
    assert is_cubic(graph) and len(graph) == m * n
    between = sorted((u // n, v // n) for u, v in graph.edges if u // n != v // n)
    assert between == sorted((part, part + 1) for part in range(m - 1) for _ in range(2 * c))
    assert made(f"cubiccuts {m} {n} {c} 4").edges != graph.edges


def test_planar_graphs_are_planar_and_full():
    for n in (4, 5, 8, 30, 200):
        graph = made(f"triangulation {n} {n}")
        assert networkx.check_planarity(graph)[0]
        assert (len(graph), graph.number_of_edges()) == (n, 3 * n - 6)
    for n in (4, 6, 20, 100):
        graph = made(f"cubicplanar {n} {n}")
        assert is_cubic(graph) and len(graph) == n and networkx.check_planarity(graph)[0]
        assert networkx.node_connectivity(graph) == 3


def test_every_triangulation_of_six_vertices_comes_out():
    """There are two of them (OEIS A000109), and five of seven vertices."""
    for n, kinds in ((6, 2), (7, 5)):
        found: list[Any] = []
        for seed in range(60):
            graph = made(f"triangulation {n} {seed}")
            if not any(networkx.is_isomorphic(graph, other) for other in found):
                found.append(graph)
        assert len(found) == kinds


def test_a_cycle_is_planted_through_all_vertices():
    graph = made("empty 12 plantcycle 5")
    assert networkx.is_isomorphic(graph, networkx.cycle_graph(12))
    assert set(made("gnm 12 20 1 plantcycle 5").edges) == set(graph.edges) | set(
        made("gnm 12 20 1").edges
    )


def test_a_ring_has_a_cycle_where_its_copies_have_one_through_the_first_edge():
    assert made("petersen 4 1 ring 1").edges == made("petersen 4 1").edges
    graph = made("petersen 4 1 ring 3")
    assert is_cubic(graph) and networkx.edge_connectivity(graph) == 2
    through = [c for c in cycles(made("petersen 4 1")) if frozenset((0, 1)) in pairs_of(c)]
    assert len(cycles(graph)) == 2 * (len(through) // 2) ** 3
    assert not cycles(made("petersen 5 2 ring 2"))


@pytest.mark.parametrize("text", ["complete 4", "complete 5", "petersen 3 1", "grid 2 4"])
def test_exactly_one_of_two_edges_is_taken(text):
    old = made(text)
    for seed in range(4):
        graph = made(f"{text} xor 1 {seed}")
        assert len(graph) == len(old) + 12
        (one, other) = [frozenset(edge) for edge in old.edges if not graph.has_edge(*edge)]
        wanted = [c for c in cycles(old) if (one in pairs_of(c)) != (other in pairs_of(c))]
        assert len(cycles(graph)) == len(wanted)


@pytest.mark.parametrize("text", ["complete 4", "petersen 3 1", "grid 2 3"])
def test_a_fragment_demands_one_edge_of_its_vertex(text):
    old = made(text)
    for seed in range(4):
        graph = made(f"{text} tutte 1 {seed}")
        assert len(graph) == len(old) + 14
        (vertex,) = [v for v in old if sum(w >= len(old) for w in graph[v]) == 2]
        (kept,) = [frozenset((vertex, w)) for w in graph[vertex] if w < len(old)]
        place = {v: vertex if v >= len(old) else v for v in graph}
        found = {
            frozenset(edge for u, v in cycle if len(edge := frozenset((place[u], place[v]))) == 2)
            for cycle in map(pairs_of, cycles(graph))
        }
        through = {frozenset(pairs_of(c)) for c in cycles(old) if kept in pairs_of(c)}
        assert found == through


def test_three_fragments_are_the_graph_of_tutte():
    # By chance all three demand the edge to the fourth vertex, and none is turned over.
    assert networkx.is_isomorphic(made("complete 4 tutte 3 149"), networkx.tutte_graph())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("petersen 2 1", "a Petersen graph of 2 spokes and steps of 1"),
        ("petersen 6 3", "steps of less than half"),
        ("flower 2", "a flower of 2 stars; give at least 3"),
        ("cubiccuts 0 8 1 1", "0 graphs of 8 vertices"),
        ("cubiccuts 2 7 1 1", "2 graphs of 7 vertices"),
        ("cubiccuts 2 8 2 1", "4 edges to the next; the range of C is 1 to 1"),
        ("triangulation 3 1", "a triangulation of 3 vertices; give at least 4"),
        ("cubicplanar 7 1", "a cubic planar graph of 7 vertices; give an even number"),
        ("complete 2 plantcycle 1", "a cycle of 2 vertices; give at least 3"),
        ("empty 3 ring 2", "a ring of 2 copies with 0 edges"),
        ("complete 3 xor 2 1", "2 pairs of 3 edges; the range is 0 to 1"),
        ("complete 5 tutte 1 1", "1 fragment for 0 vertices with 3 neighbours"),
        ("petersen 5", "`petersen` has 1 argument; write `petersen N K`"),
    ],
)
def test_graphs_that_cannot_be(text, fault):
    with pytest.raises(InputError, match=fault):
        made(text)


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
def test_graphs_that_are_too_large_are_refused_at_once(text):
    with pytest.raises(InputError, match="the graph needs too much"):
        made(text)


def test_a_seed_means_the_same_for_ever():
    def edges(text: str) -> int:
        return sum((u + 1) * (v + 1) for u, v in made(text).edges)

    texts = ("cubiccuts 3 10 1 1", "triangulation 20 1", "cubicplanar 20 1", "complete 6 xor 2 1")
    assert [edges(text) for text in texts] == [13598, 4947, 3923, 11543]

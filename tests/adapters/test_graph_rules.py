"""The rules of problems on graphs against NetworkX, on right and broken solutions."""

from __future__ import annotations

from typing import Any

import networkx as nx
from helpers.formulas import examples
from hypothesis import given
from hypothesis import strategies as st

from boardsat.adapters import rules
from boardsat.adapters.boards import GraphBoard, Grid
from boardsat.adapters.boards._board import NoBoard
from boardsat.adapters.views.solution import (
    Fills,
    Labels,
    Marks,
    PairsView,
    Solution,
    Strokes,
    View,
)

Sets = st.sets(st.integers(0, 5), max_size=6)


@st.composite
def graphs(draw: st.DrawFn) -> nx.Graph:
    """Of six vertices, or one that has solutions more often than others."""
    if draw(st.booleans()):
        return draw(st.sampled_from([nx.cycle_graph(6), nx.octahedral_graph(), nx.path_graph(6)]))
    graph = nx.empty_graph(6)
    pairs = st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] < pair[1])
    graph.add_edges_from(draw(st.lists(pairs, max_size=12)))
    return graph


def is_right(
    problem: str,
    graph: nx.Graph,
    picture: View,
    given: tuple[View, ...] = (),
    **parameters: Any,
) -> bool:
    board = GraphBoard(6, 0, frozenset((min(edge), max(edge)) for edge in graph.edges))
    found = rules.violations(problem, Solution(board, picture, static_views=given), parameters)
    assert found is not None
    return not list(found)


def is_clique(graph: nx.Graph, vertices: set[int]) -> bool:
    size = len(vertices)
    return graph.subgraph(vertices).number_of_edges() == size * (size - 1) // 2


@examples(200)
@given(graph=graphs(), chosen=Sets, k=st.integers(1, 4))
def test_dominating_sets(graph: nx.Graph, chosen: set[int], k: int) -> None:
    right = nx.is_dominating_set(graph, chosen) and len(chosen) <= k
    assert is_right("domination", graph, Marks(frozenset(chosen)), k=k) == right


@examples(200)
@given(graph=graphs(), chosen=Sets)
def test_perfect_codes(graph: nx.Graph, chosen: set[int]) -> None:
    balls = [{vertex, *graph[vertex]} for vertex in chosen]
    right = sum(map(len, balls)) == 6 and set().union(*balls) == {*range(6)}
    assert is_right("perfect_code", graph, Marks(frozenset(chosen))) == right


@examples(200)
@given(graph=graphs(), chosen=Sets, k=st.integers(1, 4))
def test_cliques(graph: nx.Graph, chosen: set[int], k: int) -> None:
    right = is_clique(graph, chosen) and len(chosen) == k
    assert is_right("clique", graph, Marks(frozenset(chosen)), k=k) == right


@examples(200)
@given(graph=graphs(), chosen=Sets, k=st.integers(1, 4), s=st.integers(1, 4))
def test_cliques_and_independent_sets(graph: nx.Graph, chosen: set[int], k: int, s: int) -> None:
    clique = is_clique(graph, chosen) and len(chosen) == k
    independent = is_clique(nx.complement(graph), chosen) and len(chosen) == s
    marks = Marks(frozenset(chosen))
    assert is_right("ramsey_witness", graph, marks, k=k, s=s) == (clique or independent)


@examples(200)
@given(graph=graphs(), data=st.data())
def test_automorphisms(graph: nx.Graph, data: st.DataObject) -> None:
    automorphisms = list(nx.algorithms.isomorphism.GraphMatcher(graph, graph).isomorphisms_iter())
    image = data.draw(st.permutations(range(6)) | st.sampled_from(automorphisms))
    values = [(image[vertex] + 1,) for vertex in range(6)]
    broken = data.draw(st.lists(st.integers(0, 5), max_size=1))
    for vertex in broken:
        values[vertex] = data.draw(st.sampled_from([(), (1, 2), (7,)]))
    mapped = {vertex: image[vertex] for vertex in range(6)}
    moves = any(vertex != other for vertex, other in mapped.items())
    right = not broken and moves and mapped in automorphisms
    assert is_right("automorphism", graph, Labels(tuple(values))) == right


@examples(200)
@given(graph=graphs(), order=st.permutations(range(6)), data=st.data())
def test_isomorphisms(graph: nx.Graph, order: list[int], data: st.DataObject) -> None:
    other = nx.relabel_nodes(graph, dict(enumerate(order)))
    if data.draw(st.integers(0, 3)) == 0:
        other.add_edge(0, 1)
    image = data.draw(st.permutations(range(6)) | st.just(order))
    values = [(image[vertex],) for vertex in range(6)]
    broken = data.draw(st.lists(st.integers(0, 5), max_size=1))
    for vertex in broken:
        values[vertex] = data.draw(st.sampled_from([(), (1, 2), (7,)]))
    mapped = nx.relabel_nodes(graph, dict(enumerate(image)))
    right = not broken and nx.utils.edges_equal(mapped.edges, other.edges)
    given_edges = PairsView("", (), tuple(other.edges))
    assert is_right("isomorphism", graph, Labels(tuple(values)), (given_edges,)) == right


@examples(200)
@given(graph=graphs(), induced=st.booleans(), data=st.data())
def test_subgraphs(graph: nx.Graph, induced: bool, data: st.DataObject) -> None:
    pattern = data.draw(st.sampled_from([nx.path_graph(3), nx.cycle_graph(4), nx.star_graph(3)]))
    image = data.draw(st.permutations(range(6)))[: len(pattern)]
    values = [tuple(i for i in pattern if image[i] == vertex) for vertex in range(6)]
    broken = data.draw(st.lists(st.sampled_from(image), max_size=1))
    for vertex in broken:
        values[vertex] = data.draw(st.sampled_from([(), (0, 1)]))
    mapped = nx.relabel_nodes(pattern, dict(enumerate(image)))
    wanted = {frozenset(edge) for edge in mapped.edges}
    there = {frozenset(edge) for edge in graph.subgraph(image).edges}
    right = not broken and (wanted == there if induced else wanted <= there)
    edges = PairsView("", (), tuple(pattern.edges))
    labels = Labels(tuple(values))
    assert is_right("subgraph", graph, labels, (edges,), induced=induced) == right


ALLOWED = ((0, 0), (0, 1), (1, 1), (1, 2), (2, 0), (2, 2))
"""Three pigeons and three holes in a circle."""


def is_matched(problem: str, pairs: list[tuple[int, int]], **parameters: Any) -> bool:
    given_pairs = PairsView("", (), ALLOWED, (0, 1, 2), (0, 1, 2))
    solution = Solution(NoBoard(), PairsView("", (), tuple(pairs)), static_views=(given_pairs,))
    found = rules.violations(problem, solution, parameters)
    assert found is not None
    return not list(found)


Pairs = st.sets(st.sampled_from([*ALLOWED, (0, 2)])).map(sorted)


@examples(200)
@given(pairs=Pairs, functional=st.booleans(), onto=st.booleans())
def test_pigeons_of_a_graph(pairs: list[tuple[int, int]], functional: bool, onto: bool) -> None:
    rows = [[(p, h) in pairs for h in range(3)] for p in range(3)]
    holes, pigeons = [sum(row) for row in rows], [sum(row) for row in zip(*rows, strict=True)]
    right = (0, 2) not in pairs and min(holes) > 0 and max(pigeons) < 2
    right = right and not (functional and max(holes) > 1) and not (onto and min(pigeons) == 0)
    assert is_matched("graph_pigeonhole", pairs, functional=functional, onto=onto) == right


@examples(200)
@given(pairs=Pairs, equal=st.booleans())
def test_half_of_the_edges(pairs: list[tuple[int, int]], equal: bool) -> None:
    left, right = ([sum(e[side] == v for e in pairs) for v in range(3)] for side in (0, 1))
    fits = (0, 2) not in pairs and min(left) >= 1 and max(right) <= 1
    # Two edges are at every vertex, so that half of them is one.
    fits = fits and not (equal and (max(left) > 1 or min(right) < 1))
    assert is_matched("subset_cardinality", pairs, equal=equal) == fits


@st.composite
def chosen_edges(draw: st.DrawFn, graph: nx.Graph) -> list[tuple[int, int]]:
    """Some edges, and now and then a pair that is none."""
    found = draw(st.sets(st.sampled_from(sorted(graph.edges)))) if graph.edges else set()
    return sorted(found | draw(st.sets(st.sampled_from([(0, 1), (1, 4), (2, 5)]), max_size=1)))


@examples(200)
@given(graph=graphs(), data=st.data())
def test_perfect_matchings(graph: nx.Graph, data: st.DataObject) -> None:
    perfect = sorted(tuple(sorted(edge)) for edge in nx.max_weight_matching(graph, True))
    pairs = data.draw(chosen_edges(graph) | st.just(perfect))
    known = set(pairs) <= set(graph.edges)
    right = known and nx.is_perfect_matching(graph, set(pairs))
    assert is_right("matching", graph, Strokes(tuple(pairs))) == right


@examples(200)
@given(graph=graphs(), data=st.data())
def test_connected_networks(graph: nx.Graph, data: st.DataObject) -> None:
    tree = sorted(tuple(sorted(edge)) for edge in nx.minimum_spanning_edges(graph, data=False))
    pairs = data.draw(chosen_edges(graph) | st.just(tree))
    left = nx.empty_graph(6)
    left.add_edges_from(pairs)
    right = set(pairs) <= set(graph.edges) and nx.is_connected(left)
    assert is_right("reliability", graph, Strokes(tuple(pairs))) == right


@examples(200)
@given(graph=graphs(), data=st.data())
def test_even_colourings(graph: nx.Graph, data: st.DataObject) -> None:
    pairs = data.draw(chosen_edges(graph) | st.just([(0, 1), (2, 3), (4, 5)]))
    red, blue = graph.copy(), graph.copy()
    blue.remove_edges_from(pairs)
    red.remove_edges_from(blue.edges)
    right = set(pairs) <= set(graph.edges) and dict(red.degree) == dict(blue.degree)
    assert is_right("even_colouring", graph, Strokes(tuple(pairs))) == right


@examples(200)
@given(graph=graphs(), charge=st.sampled_from(["first", "zero", "one"]), data=st.data())
def test_charges(graph: nx.Graph, charge: str, data: st.DataObject) -> None:
    pairs = data.draw(chosen_edges(graph) | st.just([(0, 1), (2, 3), (4, 5)]))
    odd = [sum(v in pair for pair in pairs) % 2 for v in range(6)]
    asked = {"first": [1, 0, 0, 0, 0, 0], "zero": [0] * 6, "one": [1] * 6}[charge]
    right = set(pairs) <= set(graph.edges) and odd == asked
    assert is_right("tseitin", graph, Strokes(tuple(pairs)), charge=charge) == right


@examples(100)
@given(graph=graphs(), charge=st.sampled_from(["odd", "even", "random"]), data=st.data())
def test_random_charges(graph: nx.Graph, charge: str, data: st.DataObject) -> None:
    pairs = data.draw(chosen_edges(graph))
    odd = [sum(v in pair for pair in pairs) % 2 for v in range(6)]
    told = data.draw(st.just(odd) | st.lists(st.integers(0, 1), min_size=6, max_size=6))
    right = set(pairs) <= set(graph.edges) and odd == told and charge != "odd"
    given_charges = (Labels(tuple((bit,) for bit in told)),)
    found = is_right("tseitin", graph, Strokes(tuple(pairs)), given_charges, charge=charge)
    assert found == right


DOMINOES = [(), (1,), (1,), (3,), (4,), (4,), (6,), (3,), (8,), (8,), (6,), ()]
"""Of a board of three rows and four columns, by the first square of each."""


@examples(200)
@given(places=st.lists(st.integers(0, 11), max_size=2), data=st.data())
def test_dominoes(places: list[int], data: st.DataObject) -> None:
    values = list(DOMINOES)
    for place in places:
        values[place] = data.draw(st.sampled_from([(), (1,), (3,), (4, 6), DOMINOES[place]]))
    found = rules.violations(
        "chessboard", Solution(Grid(3, 4, frozenset()), Fills(tuple(values), True)), {}
    )
    assert found is not None
    assert (not list(found)) == (values == DOMINOES)

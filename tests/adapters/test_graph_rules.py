"""Rules of problems on graphs against NetworkX, on correct and mutated solutions."""

from __future__ import annotations

from typing import Any

import networkx as nx
from helpers.formulas import examples
from hypothesis import given
from hypothesis import strategies as st

from boardsat.adapters import rules
from boardsat.adapters.boards import GraphBoard, Grid
from boardsat.adapters.boards.graph import NO_BOARD
from boardsat.adapters.views import (
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
    """Draw a random graph of six vertices, or one that often has solutions."""
    if draw(st.booleans()):
        return draw(st.sampled_from([nx.cycle_graph(6), nx.octahedral_graph(), nx.path_graph(6)]))
    graph = nx.empty_graph(6)
    pairs = st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] < pair[1])
    graph.add_edges_from(draw(st.lists(pairs, max_size=12)))
    return graph


def is_accepted(
    problem: str,
    graph: nx.Graph,
    view: View,
    static_views: tuple[View, ...] = (),
    **parameters: Any,
) -> bool:
    board = GraphBoard(6, 0, frozenset((min(edge), max(edge)) for edge in graph.edges))
    violations = rules.violations(
        problem, Solution(board, view, static_views=static_views), parameters
    )
    assert violations is not None
    return not list(violations)


def is_clique(graph: nx.Graph, vertices: set[int]) -> bool:
    size = len(vertices)
    return graph.subgraph(vertices).number_of_edges() == size * (size - 1) // 2


@examples(200)
@given(graph=graphs(), chosen=Sets, k=st.integers(1, 4))
def test_domination_accepts_exactly_dominating_sets_of_limited_size(
    graph: nx.Graph, chosen: set[int], k: int
) -> None:
    is_valid = nx.is_dominating_set(graph, chosen) and len(chosen) <= k
    assert is_accepted("domination", graph, Marks(frozenset(chosen)), k=k) == is_valid


@examples(200)
@given(graph=graphs(), chosen=Sets)
def test_perfect_code_accepts_exactly_disjoint_covering_neighbourhoods(
    graph: nx.Graph, chosen: set[int]
) -> None:
    balls = [{vertex, *graph[vertex]} for vertex in chosen]
    is_valid = sum(map(len, balls)) == 6 and set().union(*balls) == {*range(6)}
    assert is_accepted("perfect_code", graph, Marks(frozenset(chosen))) == is_valid


@examples(200)
@given(graph=graphs(), chosen=Sets, k=st.integers(1, 4))
def test_clique_accepts_exactly_cliques_of_the_size(
    graph: nx.Graph, chosen: set[int], k: int
) -> None:
    is_valid = is_clique(graph, chosen) and len(chosen) == k
    assert is_accepted("clique", graph, Marks(frozenset(chosen)), k=k) == is_valid


@examples(200)
@given(graph=graphs(), chosen=Sets, k=st.integers(1, 4), s=st.integers(1, 4))
def test_ramsey_witness_accepts_cliques_and_independent_sets(
    graph: nx.Graph, chosen: set[int], k: int, s: int
) -> None:
    clique = is_clique(graph, chosen) and len(chosen) == k
    independent = is_clique(nx.complement(graph), chosen) and len(chosen) == s
    marks = Marks(frozenset(chosen))
    assert is_accepted("ramsey_witness", graph, marks, k=k, s=s) == (clique or independent)


@examples(200)
@given(graph=graphs(), data=st.data())
def test_automorphism_accepts_exactly_nontrivial_automorphisms(
    graph: nx.Graph, data: st.DataObject
) -> None:
    automorphisms = list(nx.algorithms.isomorphism.GraphMatcher(graph, graph).isomorphisms_iter())
    image = data.draw(st.permutations(range(6)) | st.sampled_from(automorphisms))
    values = [(image[vertex] + 1,) for vertex in range(6)]
    broken = data.draw(st.lists(st.integers(0, 5), max_size=1))
    for vertex in broken:
        values[vertex] = data.draw(st.sampled_from([(), (1, 2), (7,)]))
    mapped = {vertex: image[vertex] for vertex in range(6)}
    moves = any(vertex != image_vertex for vertex, image_vertex in mapped.items())
    is_valid = not broken and moves and mapped in automorphisms
    assert is_accepted("automorphism", graph, Labels(tuple(values))) == is_valid


@examples(200)
@given(graph=graphs(), order=st.permutations(range(6)), data=st.data())
def test_isomorphism_accepts_exactly_isomorphisms(
    graph: nx.Graph, order: list[int], data: st.DataObject
) -> None:
    other_graph = nx.relabel_nodes(graph, dict(enumerate(order)))
    if data.draw(st.integers(0, 3)) == 0:
        other_graph.add_edge(0, 1)
    image = data.draw(st.permutations(range(6)) | st.just(order))
    values = [(image[vertex],) for vertex in range(6)]
    broken = data.draw(st.lists(st.integers(0, 5), max_size=1))
    for vertex in broken:
        values[vertex] = data.draw(st.sampled_from([(), (1, 2), (7,)]))
    mapped = nx.relabel_nodes(graph, dict(enumerate(image)))
    is_valid = not broken and nx.utils.edges_equal(mapped.edges, other_graph.edges)
    given_edges = PairsView("", (), tuple(other_graph.edges))
    assert is_accepted("isomorphism", graph, Labels(tuple(values)), (given_edges,)) == is_valid


@examples(200)
@given(graph=graphs(), induced=st.booleans(), data=st.data())
def test_subgraph_accepts_exactly_embeddings_of_the_pattern(
    graph: nx.Graph, induced: bool, data: st.DataObject
) -> None:
    pattern = data.draw(st.sampled_from([nx.path_graph(3), nx.cycle_graph(4), nx.star_graph(3)]))
    image = data.draw(st.permutations(range(6)))[: len(pattern)]
    values = [tuple(i for i in pattern if image[i] == vertex) for vertex in range(6)]
    broken = data.draw(st.lists(st.sampled_from(image), max_size=1))
    for vertex in broken:
        values[vertex] = data.draw(st.sampled_from([(), (0, 1)]))
    mapped = nx.relabel_nodes(pattern, dict(enumerate(image)))
    pattern_edges = {frozenset(edge) for edge in mapped.edges}
    induced_edges = {frozenset(edge) for edge in graph.subgraph(image).edges}
    is_valid = not broken and (
        pattern_edges == induced_edges if induced else pattern_edges <= induced_edges
    )
    edges = PairsView("", (), tuple(pattern.edges))
    labels = Labels(tuple(values))
    assert is_accepted("subgraph", graph, labels, (edges,), induced=induced) == is_valid


ALLOWED = ((0, 0), (0, 1), (1, 1), (1, 2), (2, 0), (2, 2))
"""Edges between three pigeons and three holes, which form a cycle."""


def is_pairing_accepted(problem: str, pairs: list[tuple[int, int]], **parameters: Any) -> bool:
    given_pairs = PairsView("", (), ALLOWED, (0, 1, 2), (0, 1, 2))
    solution = Solution(NO_BOARD, PairsView("", (), tuple(pairs)), static_views=(given_pairs,))
    violations = rules.violations(problem, solution, parameters)
    assert violations is not None
    return not list(violations)


Pairs = st.sets(st.sampled_from([*ALLOWED, (0, 2)])).map(sorted)


@examples(200)
@given(pairs=Pairs, functional=st.booleans(), onto=st.booleans())
def test_graph_pigeonhole_accepts_exactly_valid_assignments(
    pairs: list[tuple[int, int]], functional: bool, onto: bool
) -> None:
    rows = [[(p, h) in pairs for h in range(3)] for p in range(3)]
    holes, pigeons = [sum(row) for row in rows], [sum(row) for row in zip(*rows, strict=True)]
    is_valid = (0, 2) not in pairs and min(holes) > 0 and max(pigeons) < 2
    is_valid = is_valid and not (functional and max(holes) > 1) and not (onto and min(pigeons) == 0)
    parameters = {"functional": functional, "onto": onto}
    assert is_pairing_accepted("graph_pigeonhole", pairs, **parameters) == is_valid


@examples(200)
@given(pairs=Pairs, equal=st.booleans())
def test_subset_cardinality_accepts_exactly_balanced_subsets(
    pairs: list[tuple[int, int]], equal: bool
) -> None:
    left_degrees, right_degrees = (
        [sum(e[side] == v for e in pairs) for v in range(3)] for side in (0, 1)
    )
    is_valid = (0, 2) not in pairs and min(left_degrees) >= 1 and max(right_degrees) <= 1
    # Every vertex has two edges, so that half of them is one.
    is_valid = is_valid and not (equal and (max(left_degrees) > 1 or min(right_degrees) < 1))
    assert is_pairing_accepted("subset_cardinality", pairs, equal=equal) == is_valid


@st.composite
def chosen_edges(draw: st.DrawFn, graph: nx.Graph) -> list[tuple[int, int]]:
    """Draw some edges, and sometimes a pair that is not an edge."""
    edges = draw(st.sets(st.sampled_from(sorted(graph.edges)))) if graph.edges else set()
    return sorted(edges | draw(st.sets(st.sampled_from([(0, 1), (1, 4), (2, 5)]), max_size=1)))


@examples(200)
@given(graph=graphs(), data=st.data())
def test_matching_accepts_exactly_perfect_matchings(graph: nx.Graph, data: st.DataObject) -> None:
    perfect = sorted(tuple(sorted(edge)) for edge in nx.max_weight_matching(graph, True))
    pairs = data.draw(chosen_edges(graph) | st.just(perfect))
    are_edges = set(pairs) <= set(graph.edges)
    is_valid = are_edges and nx.is_perfect_matching(graph, set(pairs))
    assert is_accepted("matching", graph, Strokes(tuple(pairs))) == is_valid


@examples(200)
@given(graph=graphs(), data=st.data())
def test_reliability_accepts_exactly_connected_networks(
    graph: nx.Graph, data: st.DataObject
) -> None:
    tree = sorted(tuple(sorted(edge)) for edge in nx.minimum_spanning_edges(graph, data=False))
    pairs = data.draw(chosen_edges(graph) | st.just(tree))
    network = nx.empty_graph(6)
    network.add_edges_from(pairs)
    is_valid = set(pairs) <= set(graph.edges) and nx.is_connected(network)
    assert is_accepted("reliability", graph, Strokes(tuple(pairs))) == is_valid


@examples(200)
@given(graph=graphs(), data=st.data())
def test_even_colouring_accepts_exactly_even_colourings(
    graph: nx.Graph, data: st.DataObject
) -> None:
    pairs = data.draw(chosen_edges(graph) | st.just([(0, 1), (2, 3), (4, 5)]))
    red, blue = graph.copy(), graph.copy()
    blue.remove_edges_from(pairs)
    red.remove_edges_from(blue.edges)
    is_valid = set(pairs) <= set(graph.edges) and dict(red.degree) == dict(blue.degree)
    assert is_accepted("even_colouring", graph, Strokes(tuple(pairs))) == is_valid


@examples(200)
@given(graph=graphs(), charge=st.sampled_from(["first", "zero", "one"]), data=st.data())
def test_tseitin_accepts_exactly_edges_with_the_given_charges(
    graph: nx.Graph, charge: str, data: st.DataObject
) -> None:
    pairs = data.draw(chosen_edges(graph) | st.just([(0, 1), (2, 3), (4, 5)]))
    parities = [sum(v in pair for pair in pairs) % 2 for v in range(6)]
    charges = {"first": [1, 0, 0, 0, 0, 0], "zero": [0] * 6, "one": [1] * 6}[charge]
    is_valid = set(pairs) <= set(graph.edges) and parities == charges
    assert is_accepted("tseitin", graph, Strokes(tuple(pairs)), charge=charge) == is_valid


@examples(100)
@given(graph=graphs(), charge=st.sampled_from(["odd", "even", "random"]), data=st.data())
def test_tseitin_with_random_charges_uses_those_of_the_static_view(
    graph: nx.Graph, charge: str, data: st.DataObject
) -> None:
    pairs = data.draw(chosen_edges(graph))
    parities = [sum(v in pair for pair in pairs) % 2 for v in range(6)]
    charges = data.draw(st.just(parities) | st.lists(st.integers(0, 1), min_size=6, max_size=6))
    is_valid = set(pairs) <= set(graph.edges) and parities == charges and charge != "odd"
    given_charges = (Labels(tuple((bit,) for bit in charges)),)
    lines = Strokes(tuple(pairs))
    assert is_accepted("tseitin", graph, lines, given_charges, charge=charge) == is_valid


DOMINOES = [(), (1,), (1,), (3,), (4,), (4,), (6,), (3,), (8,), (8,), (6,), ()]
"""Dominoes of a board of 3x4, numbered by their first squares."""


@examples(200)
@given(cells=st.lists(st.integers(0, 11), max_size=2), data=st.data())
def test_chessboard_accepts_exactly_domino_tilings(cells: list[int], data: st.DataObject) -> None:
    values = list(DOMINOES)
    for cell in cells:
        values[cell] = data.draw(st.sampled_from([(), (1,), (3,), (4, 6), DOMINOES[cell]]))
    violations = rules.violations(
        "chessboard", Solution(Grid(3, 4, frozenset()), Fills(tuple(values), True)), {}
    )
    assert violations is not None
    assert (not list(violations)) == (values == DOMINOES)

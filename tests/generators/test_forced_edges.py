"""Forced edges of Hamiltonian cycles against plain search, and the choice of the encoding."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise
from typing import Any

import networkx
import numpy as np
import pytest
from helpers.formulas import clauses_of
from helpers.lazy_tours import EMBEDDED_CUTS, solve_json
from helpers.solver_runs import boardsat
from helpers.tour_search import search_tours
from pysat.solvers import Solver

from boardsat.adapters.lazy_cuts.connectivity_cuts import (
    LONG_CUT_LENGTH,
    MAX_ROUNDS_WITHOUT_PROGRESS,
    MAX_STALLED_ROUNDS,
    ChoiceGraph,
    CutProgress,
    EdgeGraph,
)
from boardsat.adapters.lazy_cuts.portfolio import MIN_ROUNDS
from boardsat.generators import Formula, InputError, build, find, select_default_encoding
from boardsat.generators.algorithms import bind_algorithms
from boardsat.generators.algorithms.forced_edges import separators
from boardsat.generators.boards import Board
from boardsat.generators.graphs.namespace import graph_of_setting
from boardsat.generators.language.values import KeyedSet
from boardsat.generators.spec.defaults import SOLVE, read_exceptions
from boardsat.generators.yaml_reader import read_yaml

Pairs = set[tuple[int, int]]


def random_graph(chance: random.Random, min_vertices: int = 1, max_vertices: int = 8) -> Any:
    """Return a random graph: half of them are Hamiltonian, some have an articulation point."""
    n = chance.randint(min_vertices, max_vertices)
    if n >= 7 and chance.random() < 0.2:
        second = networkx.relabel_nodes(networkx.complete_graph(n - 3), lambda v: v + 3)
        return networkx.compose(networkx.complete_graph(4), second)
    graph = networkx.empty_graph(n)
    pairs = [*combinations(range(n), 2)]
    graph.add_edges_from(chance.sample(pairs, chance.randint(0, len(pairs))))
    if n > 2 and chance.random() < 0.5:
        graph = networkx.empty_graph(n)
        networkx.add_cycle(graph, chance.sample(range(n), n))
        graph.add_edges_from(chance.sample(pairs, chance.randint(0, 3)))
    return graph


def cycles(graph: Any) -> set[frozenset[tuple[int, int]]]:
    """Return the edges of each Hamiltonian cycle."""
    orders = search_tours([sorted(graph[v]) for v in range(len(graph))], 0, closed=True)
    return {
        frozenset((min(e), max(e)) for e in zip(order, (*order[1:], order[0]), strict=True))
        for order in orders
    }


def forced_edges(graph: Any) -> list[Pairs]:
    """Return the excluded and the forced edges, and the articulation points."""
    moves = [(u, v) for u in range(len(graph)) for v in sorted(graph[u])]
    origin, target = np.array(moves, np.int64).reshape(-1, 2).T
    board = Board(len(graph), KeyedSet.adjacency(len(graph), origin, target), {}, {})
    keyed_set = bind_algorithms(board)["forced_edges"]()
    rows = [*zip(*(column.tolist() for column in keyed_set.columns), strict=True)]
    return [set(rows[a:b]) for a, b in pairwise(keyed_set.starts)]


def text_of(graph: Any) -> str:
    lines = [f"e {u + 1} {v + 1}\n" for u, v in graph.edges]
    return f"p edge {len(graph)} {len(lines)}\n" + "".join(lines)


def test_forced_edges_agree_with_every_cycle():
    chance = random.Random(1)
    num_graphs = [0] * 3
    for _ in range(300):
        graph = random_graph(chance)
        excluded, forced, articulation = groups = forced_edges(graph)
        hamiltonian = cycles(graph)
        is_sound = all(not excluded & cycle and forced <= cycle for cycle in hamiltonian)
        assert is_sound, [*graph.edges]
        assert not hamiltonian or not articulation
        if len(graph) > 2 and not networkx.is_biconnected(graph):
            assert articulation or any(is_contradiction(graph, v, excluded, forced) for v in graph)
        num_graphs = [n + bool(edges) for n, edges in zip(num_graphs, groups, strict=True)]
    assert min(num_graphs) > 3


def is_contradiction(graph: Any, v: int, excluded: Pairs, forced: Pairs) -> bool:
    """Return whether a vertex has fewer than two edges left, or more than two forced ones."""
    incident = {(min(v, w), max(v, w)) for w in graph[v]}
    return len(incident - excluded) < 2 or len(incident & forced) > 2


def test_separators_equal_networkx():
    chance = random.Random(2)
    for _ in range(300):
        graph = random_graph(chance, min_vertices=2)
        cells, edges = separators([sorted(graph[v]) for v in range(len(graph))])
        if not networkx.is_connected(graph):
            assert cells
            continue
        assert cells == sorted(networkx.articulation_points(graph))
        if not networkx.has_bridges(graph):
            assert edges == set(edges_in_cuts(graph))


def edges_in_cuts(graph: Any) -> Any:
    """Yield the edges of each 2-edge cut."""
    for pair in combinations(graph.edges, 2):
        remaining = graph.copy()
        remaining.remove_edges_from(pair)
        if not networkx.is_connected(remaining):
            yield from ((min(edge), max(edge)) for edge in pair)


def true_variables(formula: Formula) -> Iterator[set[int]]:
    """Yield the true variables of each model."""
    with Solver("cadical195", bootstrap_with=clauses_of(formula)) as solver:
        yield from ({x for x in model if x > 0} for model in solver.enum_models())


@pytest.mark.parametrize(("encoding", "directions"), [("uve", 1), ("undirected", 1), ("hve", 2)])
def test_forced_edges_preserve_counts(encoding, directions):
    chance = random.Random(3)
    for _ in range(20):
        graph = random_graph(chance, max_vertices=7)
        formula = build(find("hamilton", encoding), {"graph": text_of(graph)})
        count = sum(1 for _ in true_variables(formula))
        assert count == directions * len(cycles(graph)), [*graph.edges]


def test_cuts_formula_preserves_cycles_and_implies_forced_edges():
    chance = random.Random(4)
    for _ in range(30):
        graph = random_graph(chance, max_vertices=7)
        edges = sorted((min(edge), max(edge)) for edge in graph.edges)
        formula = build(find("hamilton", "cuts"), {"graph": text_of(graph)})
        models = {
            frozenset(edges[x - 1] for x in model if x <= len(edges))
            for model in true_variables(formula)
        }
        assert models >= cycles(graph)
        excluded, forced, articulation = forced_edges(graph)
        assert all(not excluded & model and forced <= model for model in models)
        assert not models or not articulation


# Formulas.


def test_planted_2_edge_cuts_are_forced_in_formula():
    _, result = solve_json("hamilton", "--set", "graph=cubiccuts 4 8 1 2", *EMBEDDED_CUTS)
    formula = build(find("hamilton/cuts"), {"graph": "cubiccuts 4 8 1 2"})
    clauses_by_name = {section.name: section.clauses for section in formula.sections}
    assert result["status"] in ("SATISFIABLE", "UNSATISFIABLE")
    assert clauses_by_name["both edges of a cut of two edges are taken"] >= 6


def test_board_without_separators_has_only_degree_clauses():
    """The degree clauses of a corner, which has two moves, imply its forced edges."""
    formula = build(find("tour/cuts"), {"n": 8})
    assert [section.name for section in formula.sections if section.clauses] == [
        "every square has two edges, or one and is an end"
    ]


# Choice of the encoding.


@pytest.mark.parametrize(
    ("settings", "encoding", "because"),
    [
        ({"graph": "flower 25"}, "cuts", ""),
        ({"graph": "gnd 100 3 1"}, "cuts", ""),
        ({"graph": "flower 25", "closed": "false"}, "cuts", ""),
        ({"graph": "p sp 3 3\na 1 2 1\na 2 3 1\na 3 1 1\n"}, "hve", ""),
        ({"graph": "no such file"}, "cuts", ""),
    ],
)
def test_default_encoding_depends_on_graph(settings, encoding, because):
    default = select_default_encoding(find("hamilton", None, SOLVE), SOLVE, settings)
    assert (default.spec.encoding, default.because) == (encoding, because)


def test_solve_prints_default_encoding():
    output = boardsat("solve", "hamilton", "--set", "graph=petersen 30 2", *EMBEDDED_CUTS[2:])
    assert output.out.endswith("\nencoding: hamilton/cuts (the default for solving)\n")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("- solve: c\n  if: 1 == 1\n  because: x\n", "no encoding 'c' to solve with"),
        ("- solve: a\n  because: x\n", "an exception needs one purpose, `if` and `because`"),
        ("- solve: a\n  count: a\n  if: 1 == 1\n  because: x\n", "an exception needs one purpose"),
        ("- solve: a\n  when: 1 == 1\n", "unknown key 'when'"),
    ],
)
def test_malformed_exception_is_rejected(text, fault):
    with pytest.raises(InputError, match=fault):
        read_exceptions(read_yaml(text, "x.yaml"), ["a", "b"])


def test_treewidth_is_bounded_from_above():
    for text, width in (("path 9", 1), ("cycle 9", 2), ("complete 6", 5), ("grid 4 9", 4)):
        assert width_of(text, 9) == width
    for seed in range(5):
        graph = graph_of_setting("", f"gnm 14 30 {seed}", "g", int)
        reference = networkx.Graph(graph.edges.tolist())
        bound = networkx.approximation.treewidth_min_degree(reference)[0]
        assert width_of(f"gnm 14 30 {seed}", 13) <= bound + 1
        assert width_of(f"gnm 14 30 {seed}", 2) == 3


def width_of(text: str, max_width: int) -> int:
    graph = graph_of_setting("", text, "g", int)
    u, v = graph.edges.T
    ends = np.concatenate([u, v]), np.concatenate([v, u])
    board = Board(graph.vertices, KeyedSet.adjacency(graph.vertices, *ends), {}, {})
    width = bind_algorithms(board)["treewidth"](max_width)
    assert isinstance(width, int)
    return width


# Number of rounds.

EDGE_GRAPH = [EdgeGraph(2, [[(1, 0, 1)]])]


def stalled_round(progress: CutProgress, rounds: Iterable[list[list[int]]]) -> int | None:
    """Return the number of the first stalled round."""
    return next((k for k, cuts in enumerate(rounds, 1) if progress.is_stalled(cuts)), None)


def test_cut_progress_is_stalled_after_rounds_with_long_cuts_only():
    long, short = [*range(1, LONG_CUT_LENGTH + 1)], [*range(1, LONG_CUT_LENGTH)]
    assert stalled_round(CutProgress(EDGE_GRAPH), [[long]] * 1000) == MAX_STALLED_ROUNDS + 1
    assert (
        stalled_round(CutProgress(EDGE_GRAPH), [[short]] * 1000) == MAX_ROUNDS_WITHOUT_PROGRESS + 1
    )
    assert stalled_round(CutProgress(EDGE_GRAPH), ([long] * k for k in range(1000, 0, -1))) is None
    mixed = [[long]] * MAX_STALLED_ROUNDS + [[short]] + [[long]] * MAX_STALLED_ROUNDS
    assert stalled_round(CutProgress(EDGE_GRAPH), mixed) == len(mixed)
    assert stalled_round(CutProgress([ChoiceGraph([1], [[0]])]), [[long]] * 1000) is None


def test_solve_prints_fallback_after_stalled_rounds():
    arguments = ("--set", "graph=flower 35", "--set", f"rounds={MIN_ROUNDS - 1}")
    output = boardsat("solve", "hamilton", *arguments, *EMBEDDED_CUTS)
    assert output.code == 20, output
    assert (
        "\nafter 31 rounds of cuts with no progress, solved instead: hamilton/uve\n" in output.out
    )

"""What is decided of a Hamiltonian cycle before any clause, against a search for all cycles."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

import networkx
import numpy as np
import pytest
from helpers.formulas import clauses_of
from helpers.lazy_tours import HERE_AND_NOW, solved
from helpers.solver_runs import boardsat
from helpers.tour_search import search
from pysat.solvers import Solver

from boardsat.adapters.lazy_cuts.connectivity_cuts import (
    LONG_CUT_LENGTH,
    MAX_ROUNDS_WITHOUT_PROGRESS,
    MAX_STALLED_ROUNDS,
    ChoiceGraph,
    CutProgress,
    EdgeGraph,
)
from boardsat.generators import Formula, InputError, build, find, select_default_encoding
from boardsat.generators.algorithms import offered_by
from boardsat.generators.algorithms.forced import separators
from boardsat.generators.boards import Board
from boardsat.generators.graphs.namespace import graph_of_setting
from boardsat.generators.language.values import KeyedSet
from boardsat.generators.spec.defaults import SOLVE, read_exceptions
from boardsat.generators.yaml_reader import read_yaml

Pairs = set[tuple[int, int]]


def random_graph(chance: random.Random, least: int = 1, most: int = 8) -> Any:
    """Sparse or dense; half of them have a cycle, and some a vertex between two parts."""
    n = chance.randint(least, most)
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
    """The edges of each Hamiltonian cycle."""
    found = search([sorted(graph[v]) for v in range(len(graph))], 0, closed=True)
    return {
        frozenset((min(e), max(e)) for e in zip(order, (*order[1:], order[0]), strict=True))
        for order in found
    }


def decided(graph: Any) -> list[Pairs]:
    moves = [(u, v) for u in range(len(graph)) for v in sorted(graph[u])]
    origin, target = np.array(moves, np.int64).reshape(-1, 2).T
    board = Board(len(graph), KeyedSet.adjacency(len(graph), origin, target), {}, {})
    found = offered_by(board)["forced"]()
    rows = [*zip(*(column.tolist() for column in found.columns), strict=True)]
    return [set(rows[a:b]) for a, b in zip(found.starts[:-1], found.starts[1:], strict=True)]


def text_of(graph: Any) -> str:
    lines = [f"e {u + 1} {v + 1}\n" for u, v in graph.edges]
    return f"p edge {len(graph)} {len(lines)}\n" + "".join(lines)


def test_what_is_decided_holds_of_every_cycle():
    chance = random.Random(1)
    seen = [0] * 3
    for _ in range(300):
        graph = random_graph(chance)
        never, always, parting = found = decided(graph)
        every = cycles(graph)
        assert all(not never & cycle and always <= cycle for cycle in every), [*graph.edges]
        assert not every or not parting
        if len(graph) > 2 and not networkx.is_biconnected(graph):
            assert parting or any(contradicts(graph, v, never, always) for v in graph)
        seen = [a + bool(b) for a, b in zip(seen, found, strict=True)]
    assert min(seen) > 3


def contradicts(graph: Any, v: int, never: Pairs, always: Pairs) -> bool:
    """Whether a vertex has not two edges left, or more than two that all cycles take."""
    own = {(min(v, w), max(v, w)) for w in graph[v]}
    return len(own - never) < 2 or len(own & always) > 2


def test_separators_are_those_of_networkx():
    chance = random.Random(2)
    for _ in range(300):
        graph = random_graph(chance, least=2)
        found = separators([sorted(graph[v]) for v in range(len(graph))])
        if not networkx.is_connected(graph):
            assert found.cells
            continue
        assert found.cells == sorted(networkx.articulation_points(graph))
        if not networkx.has_bridges(graph):
            assert found.edges == set(in_pairs(graph))


def in_pairs(graph: Any) -> Any:
    """The edges that two of which disconnect it."""
    for pair in combinations(graph.edges, 2):
        left = graph.copy()
        left.remove_edges_from(pair)
        if not networkx.is_connected(left):
            yield from ((min(edge), max(edge)) for edge in pair)


def each_model(formula: Formula) -> Iterator[set[int]]:
    with Solver("cadical195", bootstrap_with=clauses_of(formula)) as solver:
        yield from ({x for x in model if x > 0} for model in solver.enum_models())


@pytest.mark.parametrize(("encoding", "directions"), [("uve", 1), ("undirected", 1), ("hve", 2)])
def test_counts_stay(encoding, directions):
    chance = random.Random(3)
    for _ in range(20):
        graph = random_graph(chance, most=7)
        formula = build(find("hamilton", encoding), {"graph": text_of(graph)})
        found = sum(1 for _ in each_model(formula))
        assert found == directions * len(cycles(graph)), [*graph.edges]


def test_cuts_keep_every_cycle_and_nothing_that_is_decided_otherwise():
    chance = random.Random(4)
    for _ in range(30):
        graph = random_graph(chance, most=7)
        edges = sorted((min(edge), max(edge)) for edge in graph.edges)
        formula = build(find("hamilton", "cuts"), {"graph": text_of(graph)})
        found = {
            frozenset(edges[x - 1] for x in model if x <= len(edges))
            for model in each_model(formula)
        }
        assert found >= cycles(graph)
        never, always, parting = decided(graph)
        assert all(not never & model and always <= model for model in found)
        assert not found or not parting


# In words.


def test_a_planted_cut_is_taken_without_a_round_for_it():
    _, result = solved("hamilton", "--set", "graph=cubiccuts 4 8 1 2", *HERE_AND_NOW)
    formula = build(find("hamilton/cuts"), {"graph": "cubiccuts 4 8 1 2"})
    named = {section.name: section.clauses for section in formula.sections}
    assert result["status"] in ("SATISFIABLE", "UNSATISFIABLE")
    assert named["both of two edges are taken without which the squares fall apart"] >= 6


def test_a_board_has_no_more_clauses_than_before():
    """A corner has two moves, and that every square has two edges says all of it."""
    formula = build(find("tour/cuts"), {"n": 8})
    assert [section.name for section in formula.sections if section.clauses] == [
        "every square has two edges, or one and is an end"
    ]


# Which encoding.


@pytest.mark.parametrize(
    ("settings", "encoding", "because"),
    [
        ({"graph": "flower 25"}, "uve", "the graph has a small width, 8"),
        ({"graph": "flower 5"}, "cuts", ""),
        ({"graph": "gnd 100 3 1"}, "cuts", ""),
        ({"graph": "grid 3 21"}, "cuts", ""),
        ({"graph": "grid 3 22"}, "uve", "the graph has a small width, 3"),
        ({"graph": "flower 25", "closed": "false"}, "cuts", ""),
        ({"graph": "p sp 3 3\na 1 2 1\na 2 3 1\na 3 1 1\n"}, "hve", ""),
        ({"graph": "no such file"}, "cuts", ""),
    ],
)
def test_the_default_follows_the_graph(settings, encoding, because):
    chosen = select_default_encoding(find("hamilton", None, SOLVE), SOLVE, settings)
    assert (chosen.spec.encoding, chosen.because) == (encoding, because)


def test_an_answer_says_which_and_why():
    said = boardsat("solve", "hamilton", "--set", "graph=petersen 30 2", *HERE_AND_NOW[2:])
    assert said.out.endswith(
        "\nencoding: hamilton/uve (the default for solving: the graph has a small width, 8)\n"
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("- solve: c\n  if: 1 == 1\n  because: x\n", "no encoding 'c' to solve with"),
        ("- solve: a\n  because: x\n", "an exception lacks a part, or has too many"),
        ("- solve: a\n  count: a\n  if: 1 == 1\n  because: x\n", "an exception lacks a part"),
        ("- solve: a\n  when: 1 == 1\n", "unknown key 'when'"),
    ],
)
def test_exceptions_are_checked(text, fault):
    with pytest.raises(InputError, match=fault):
        read_exceptions(read_yaml(text, "x.yaml"), ["a", "b"])


def test_the_width_bounds_the_treewidth():
    for text, width in (("path 9", 1), ("cycle 9", 2), ("complete 6", 5), ("grid 4 9", 4)):
        assert width_of(text, 9) == width
    for seed in range(5):
        graph = graph_of_setting("", f"gnm 14 30 {seed}", "g", int)
        theirs = networkx.Graph(graph.edges.tolist())
        least = networkx.approximation.treewidth_min_degree(theirs)[0]
        assert width_of(f"gnm 14 30 {seed}", 13) <= least + 1
        assert width_of(f"gnm 14 30 {seed}", 2) == 3


def width_of(text: str, most: int) -> int:
    graph = graph_of_setting("", text, "g", int)
    u, v = graph.edges.T
    ends = np.concatenate([u, v]), np.concatenate([v, u])
    board = Board(graph.vertices, KeyedSet.adjacency(graph.vertices, *ends), {}, {})
    found = offered_by(board)["treewidth"](most)
    assert isinstance(found, int)
    return found


# How many rounds.

EDGE_GRAPH = [EdgeGraph(2, [[(1, 0, 1)]])]


def after(progress: CutProgress, rounds: Iterable[list[list[int]]]) -> int | None:
    """The round in which it gives up."""
    return next((k for k, cuts in enumerate(rounds, 1) if progress.is_stalled(cuts)), None)


def test_long_cuts_alone_are_soon_given_up():
    long, short = [*range(1, LONG_CUT_LENGTH + 1)], [*range(1, LONG_CUT_LENGTH)]
    assert after(CutProgress(EDGE_GRAPH), [[long]] * 1000) == MAX_STALLED_ROUNDS + 1
    assert after(CutProgress(EDGE_GRAPH), [[short]] * 1000) == MAX_ROUNDS_WITHOUT_PROGRESS + 1
    assert after(CutProgress(EDGE_GRAPH), ([long] * k for k in range(1000, 0, -1))) is None
    mixed = [[long]] * MAX_STALLED_ROUNDS + [[short]] + [[long]] * MAX_STALLED_ROUNDS
    assert after(CutProgress(EDGE_GRAPH), mixed) == len(mixed)
    assert after(CutProgress([ChoiceGraph([1], [[0]])]), [[long]] * 1000) is None


def test_an_answer_says_that_rounds_got_nowhere():
    said = boardsat("solve", "hamilton", "--set", "graph=flower 35", *HERE_AND_NOW)
    assert said.code == 20, said
    assert "\nafter 31 rounds of cuts with no progress, solved instead: hamilton/uve\n" in said.out

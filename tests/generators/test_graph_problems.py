"""Problems on graphs, by brute force and NetworkX: placements, orders, maps, and no solution."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from helpers.formulas import clauses_of, count, is_satisfiable, members, shipped, truth_table

# Pigeons, edges and orders on graphs.


SIDES = ["shift 3 4 0 1", "shift 4 4 0 1 2", "glrd 3 5 2 1", "complete 2 3"]


@pytest.mark.parametrize("graph", SIDES)
def test_pigeons_restricted_to_holes_are_counted(graph: str) -> None:
    formula = shipped("graph_pigeonhole/direct", graph=graph, functional=True)
    edges = set(members(formula, "X"))
    pigeons, holes = 1 + max(p for p, _ in edges), 1 + max(h for _, h in edges)
    placements = permutations(range(holes), pigeons)
    assert count(formula) == sum(edges.issuperset(enumerate(placement)) for placement in placements)


@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.parametrize("graph", ["shift 3 4 0 1", "glrd 4 3 2 1", "regular 3 3 2 5 addedges 1 1"])
def test_half_of_the_edges_at_every_vertex(graph: str, equal: bool) -> None:
    formula = shipped("subset_cardinality/direct", graph=graph, equal=equal)
    edges = sorted(members(formula, "X"))
    chosen = truth_table(len(edges))
    right = np.ones(len(chosen), bool)
    for side in (0, 1):
        for vertex in {edge[side] for edge in edges}:
            at = [k for k, edge in enumerate(edges) if edge[side] == vertex]
            half = (len(at) + 1 - side) // 2
            number = chosen[:, at].sum(axis=1)
            within = number >= half if side == 0 else number <= half
            right &= number == half if equal else within
    assert count(formula, range(1, len(edges) + 1)) == np.count_nonzero(right)


@pytest.mark.parametrize("name", ["graph_total_ordering/both", "graph_total_ordering/one"])
@pytest.mark.parametrize("graph", ["path 4", "cycle 5", "star 3", "complete 4", "grid 2 3"])
def test_orders_of_vertices_with_a_smaller_neighbour(name: str, graph: str) -> None:
    plain = shipped("colouring/direct", graph=graph, colours=1).header
    n, edges = (
        plain.board["vertices"],
        [divmod(int(k), plain.board["vertices"]) for k in plain.edges],
    )
    near = [{u for edge in edges for u in edge if v in edge and u != v} for v in range(n)]
    orders = permutations(range(n))
    expected = sum(
        all(any(order[u] < order[v] for u in near[v]) for v in range(n - 1)) for order in orders
    )
    assert count(shipped(name, graph=graph, plant=True)) == expected
    assert not is_satisfiable(shipped(name, graph=graph))


# Maps of graphs.


@pytest.mark.parametrize(
    ("graph", "second_graph", "number"),
    [("cycle 5", "gnd 5 2 1", 10), ("grid 2 3", "grid 3 2", 4), ("path 4", "star 3", 0)],
)
def test_isomorphisms(graph: str, second_graph: str, number: int) -> None:
    assert count(shipped("isomorphism/direct", graph=graph, other=second_graph)) == number
    assert count(shipped("automorphism/direct", graph=graph)) == max(number - 1, 1)


@pytest.mark.parametrize("induced", [False, True])
@pytest.mark.parametrize("pattern", ["path 3", "complete 3", "cycle 4", "empty 2"])
@pytest.mark.parametrize("graph", [nx.grid_graph((3, 3)), nx.octahedral_graph(), nx.wheel_graph(5)])
def test_subgraphs(graph: Any, pattern: str, induced: bool, tmp_path: Path) -> None:
    numbered = nx.convert_node_labels_to_integers(graph)
    path = tmp_path / "graph.txt"
    path.write_text("".join(f"{u} {v}\n" for u, v in numbered.edges))
    kind, size = pattern.split()
    sought = getattr(nx, f"{kind}_graph")(int(size))
    matcher = nx.algorithms.isomorphism.GraphMatcher(numbered, sought)
    matches = (
        matcher.subgraph_isomorphisms_iter() if induced else matcher.subgraph_monomorphisms_iter()
    )
    formula = shipped("subgraph/direct", graph=path, pattern=pattern, induced=induced)
    assert count(formula) == len([*matches])


# What is never satisfiable.


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("pebbling/direct", {"graph": "pyramid 6"}),
        ("pebbling/direct", {"graph": "tree 5"}),
        ("stone/direct", {"graph": "pyramid 3", "stones": 4}),
        ("stone/direct", {"graph": "tree 3", "stones": 6, "degree": 2, "seed": 5}),
        ("pitfall/direct", {"n": 8, "d": 3, "easy": 5, "safety": 3, "copies": 4}),
        ("pitfall/direct", {"graph": "grid 2 3", "copies": 1}),
    ],
)
def test_nothing_satisfies(name: str, settings: dict[str, object]) -> None:
    assert not is_satisfiable(shipped(name, **settings))


def test_a_vertex_of_any_number_of_predecessors_has_a_stone(tmp_path: Path) -> None:
    """Three sources and one sink; without the clauses of the sink, all stones can be red."""
    path = tmp_path / "graph.txt"
    path.write_text("# directed\n1 4\n2 4\n3 4\n")
    formula = shipped("stone/direct", graph=path, stones=3)
    red = members(formula, "R")
    lies = members(formula, "P")
    patterns = {
        frozenset(
            [-lies[3, j], red[j,], *(-lies[u, s] for u, s in enumerate(S)), *(-red[s,] for s in S)]
        )
        for j in range(3)
        for S in product(range(3), repeat=3)
        if j not in S
    }
    assert patterns <= set(map(frozenset, clauses_of(formula)))
    assert not is_satisfiable(formula)

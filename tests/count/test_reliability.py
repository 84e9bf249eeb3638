"""Reliability of networks: weighted counts, closed forms, and sums over all subgraphs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import networkx as nx
import pytest
from helpers import solver_runs
from helpers.counts import need_some

import boardsat
from boardsat.instance.formula_file import open_formula

LAZY = """
title: Links that connect a grid, found by cuts
board: {shape: grid, rows: 3, cols: 3, moves: wazir}
variables:
  E:
    for: (i, j) in edges
    weight_true: 1 / 3
    weight_false: 2 / 3
constraints:
  - connected: E[i, j]
    lazy: true
    rounds: 100
"""


def reliability(graph: str, percent: int, **options: str) -> Fraction:
    result = boardsat.count(
        "reliability", runtime="embedded", graph=graph, percent=percent, **options
    )
    assert isinstance(result.count, Fraction) and result.exact
    return result.count


def by_force(graph: nx.Graph, p: Fraction) -> Fraction:
    """Over all sets of links that work."""
    total = Fraction(0)
    for works in product((False, True), repeat=graph.number_of_edges()):
        working = nx.create_empty_copy(graph)
        working.add_edges_from(edge for edge, up in zip(graph.edges, works, strict=True) if up)
        if nx.is_connected(working):
            total += p ** sum(works) * (1 - p) ** (len(works) - sum(works))
    return total


def test_reliability_of_cycle_and_path_agrees_with_formula() -> None:
    p = Fraction(9, 10)
    assert reliability("cycle 6", 90) == p**6 + 6 * p**5 * (1 - p)
    assert reliability("path 5", 90) == p**4


def test_reliability_of_k4_agrees_with_formula() -> None:
    """16 spanning trees, 15 connected subgraphs of four links, 6 of five and one of six."""
    p, q = Fraction(1, 4), Fraction(3, 4)
    expected = 16 * p**3 * q**3 + 15 * p**4 * q**2 + 6 * p**5 * q + p**6
    assert reliability("complete 4", 25) == expected


@pytest.mark.parametrize("encoding", ["distance", "elimination"])
def test_reliability_of_random_network_agrees_with_brute_force(
    encoding: str, tmp_path: Path
) -> None:
    graph = nx.gnm_random_graph(6, 9, seed=len(encoding))
    assert nx.is_connected(graph)
    file = tmp_path / "graph.txt"
    file.write_text("".join(f"{u} {v}\n" for u, v in graph.edges))
    expected = by_force(graph, Fraction(7, 10))
    assert reliability(str(file), 70, connected=encoding) == expected


def test_reliability_by_ganak_agrees_with_brute_force() -> None:
    need_some("ganak")
    result = boardsat.count("reliability", graph="grid 3 3", percent=50, counter="ganak")
    assert result.count == by_force(nx.grid_2d_graph(3, 3), Fraction(1, 2))


def test_reliability_formula_has_link_weights() -> None:
    formula = boardsat.build("reliability", graph="path 3", percent=30)
    p, q = Fraction(3, 10), Fraction(7, 10)
    assert formula.weights == {1: p, -1: q, 2: p, -2: q}
    assert boardsat.build("queens", n=4).weights == {}


def test_output_with_cuts_preserves_weights(tmp_path: Path) -> None:
    (tmp_path / "lazy.yaml").write_text(LAZY)
    target = tmp_path / "cuts.cnf"
    # Before the first cut it has no clause at all.
    output = solver_runs.boardsat(
        "solve", tmp_path / "lazy.yaml", "-o", target, "--runtime", "embedded"
    )
    assert output.code == 10 and "cuts" in target.read_text()
    assert open_formula(str(target)).weights() == {
        sign * link: Fraction(1 if sign > 0 else 2, 3) for link in range(1, 13) for sign in (1, -1)
    }


def test_reliability_of_probability_0_and_1() -> None:
    assert reliability("cycle 4", 100) == 1
    assert reliability("cycle 4", 0) == 0
    assert reliability("empty 3", 50) == 0
    assert reliability("empty 1", 50) == 1

"""Hamiltonian cycles of random graphs with structure, against brute force and theorems."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.formulas import one_in
from helpers.hamiltonian_graphs import (
    FAMILIES,
    is_cycle_of,
    is_hamiltonian,
    random_graphs,
    with_cycles,
    without_cycles,
)
from helpers.small_graphs import Graph, dimacs_text
from helpers.tour_search import search_tours

import boardsat

SMALL = [*random_graphs(8 * len(FAMILIES), seed=1)]


def solve(graph: Graph, folder: Path) -> str:
    """Return the status of the whole command, whose cycle is checked."""
    path = folder / "graph.col"
    path.write_text(dimacs_text(graph))
    result = boardsat.solve("hamilton", graph=str(path), runtime="embedded")
    if result.status.name == "SATISFIABLE":
        order = sorted(range(graph[0]), key=list(result.board).__getitem__)
        assert is_cycle_of(graph, order)
    return result.status.name


def test_brute_force_agrees_with_search() -> None:
    for name, graph in random_graphs(20 * len(FAMILIES), seed=2, max_vertices=8):
        vertices, edges = graph
        neighbours: list[list[int]] = [[] for _ in range(vertices)]
        for u, v in edges:
            neighbours[u].append(v)
            neighbours[v].append(u)
        cycle = next(search_tours(neighbours, 0, closed=True), None)
        assert is_hamiltonian(graph) == (cycle is not None), name
        assert cycle is None or is_cycle_of(graph, cycle), name


@pytest.mark.parametrize(("name", "graph"), one_in(8, SMALL))
def test_small_graph_is_decided(name: str, graph: Graph, tmp_path: Path) -> None:
    assert (solve(graph, tmp_path) == "SATISFIABLE") == is_hamiltonian(graph)


@pytest.mark.parametrize(("name", "graph"), one_in(4, with_cycles()))
def test_cycle_of_large_graph_is_found(name: str, graph: Graph, tmp_path: Path) -> None:
    assert solve(graph, tmp_path) == "SATISFIABLE"


@pytest.mark.parametrize(("name", "graph"), one_in(4, without_cycles()))
def test_graph_without_cycle_is_refuted(name: str, graph: Graph, tmp_path: Path) -> None:
    assert solve(graph, tmp_path) == "UNSATISFIABLE"

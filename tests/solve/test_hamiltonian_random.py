"""Hamiltonian cycles of random graphs with structure, against brute force and theorems."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from helpers.formulas import clauses_of, one_in
from helpers.hamiltonian_graphs import (
    FAMILIES,
    is_cycle_of,
    is_hamiltonian,
    random_edges,
    random_graphs,
    with_cycles,
    without_cycles,
)
from helpers.small_graphs import Graph, dimacs_text
from helpers.tour_search import search_tours

import boardsat
from boardsat.adapters.lazy_cuts.incremental_solver import IncrementalSolver
from boardsat.adapters.lazy_cuts.portfolio import (
    CONTRACTION,
    METHODS,
    PORTFOLIO,
    UNLIMITED,
    CycleTask,
    run_portfolio,
)
from boardsat.adapters.lazy_cuts.two_factor import CycleGraph
from boardsat.generators import build, find

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


# Every method and preprocessing in one process.

THOUSANDS = [pytest.param(1000, seed, marks=pytest.mark.slow) for seed in range(10, 15)]
"""Numbers of random graphs, and seeds."""
UNLIMITED_WORK = {"rounds": UNLIMITED, "conflicts": UNLIMITED, "combinations": UNLIMITED}
TINY_SLICES = [
    (method, {"rounds": work, "conflicts": 3 * work, "combinations": 5 * work})
    for work in range(1, 40)
    for method in reversed(METHODS)
]
SLICES = {
    "portfolio": PORTFOLIO,
    **{method: [(method, UNLIMITED_WORK)] for method in METHODS},
    "tiny slices": [*TINY_SLICES, *((method, UNLIMITED_WORK) for method in METHODS)],
}


def portfolio_task(graph: Graph, path: Path) -> CycleTask:
    """Return the task of a graph: the shipped formula, with edges that it forces or excludes."""
    path.write_text(dimacs_text(graph))
    clauses = clauses_of(build(find("hamilton/cuts"), {"graph": str(path)}))
    solver = IncrementalSolver("cadical195")
    solver.add(clauses)
    edges = sorted((min(edge), max(edge)) for edge in graph[1])
    numbered = [(variable, u, v) for variable, (u, v) in enumerate(edges, 1)]
    units = frozenset(clause[0] for clause in clauses if len(clause) == 1)
    graph_with_variables = CycleGraph(graph[0], numbered)
    return CycleTask(graph_with_variables, solver, units, lambda: IncrementalSolver("cadical195"))


def model_cycle(task: CycleTask, model: list[int]) -> list[int]:
    """Return the vertices on the cycle of vertex 0 whose edges a model sets to true."""
    links: dict[int, list[int]] = defaultdict(list)
    for variable in model:
        if variable in task.graph.ends:
            u, v = task.graph.ends[variable]
            links[u].append(v)
            links[v].append(u)
    assert all(len(neighbours) == 2 for neighbours in links.values())
    cycle, vertex = [0], links[0][0]
    while vertex != 0:
        first, second = links[vertex]
        cycle.append(vertex)
        vertex = second if first == cycle[-2] else first
    return cycle


@pytest.mark.parametrize("slices", SLICES)
@pytest.mark.parametrize(("number", "seed"), [(300, 3), *THOUSANDS])
def test_portfolio_decides_small_graphs(
    slices: str, number: int, seed: int, tmp_path: Path
) -> None:
    num_unsuitable = 0
    for name, graph in random_graphs(number, seed):
        task = portfolio_task(graph, tmp_path / "graph.col")
        decision = run_portfolio(task, SLICES[slices]).decision
        if decision is None and slices == CONTRACTION:
            num_unsuitable += 1
            continue
        assert decision is not None, name
        model = decision.result.model
        assert (model is not None) == is_hamiltonian(graph), name
        assert model is None or is_cycle_of(graph, model_cycle(task, model)), name
    assert num_unsuitable < number / 4


@pytest.mark.parametrize("max_degree", [1, 2, 3, 4])
@pytest.mark.parametrize(("number", "seed"), [(150, 4), *THOUSANDS])
def test_contraction_leaves_core_of_each_size(
    max_degree: int, number: int, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardsat.adapters.lazy_cuts.contraction.MAX_DEGREE", max_degree)
    num_decided = 0
    for name, graph in random_graphs(number, seed):
        task = portfolio_task(graph, tmp_path / "graph.col")
        decision = run_portfolio(task, SLICES[CONTRACTION]).decision
        if decision is not None:
            num_decided += 1
            model = decision.result.model
            assert (model is not None) == is_hamiltonian(graph), name
            assert model is None or is_cycle_of(graph, model_cycle(task, model)), name
    assert num_decided > number / 10


def cycles_of_links(links: list[list[int]]) -> set[frozenset[int]]:
    """Return the vertex sets of the cycles of a 2-factor."""
    cycles = set()
    for start in range(len(links)):
        cycle, stack = {start}, [start]
        while stack:
            neighbours = set(links[stack.pop()]) - cycle
            cycle |= neighbours
            stack += neighbours
        cycles.add(frozenset(cycle))
    return cycles


def test_exchanges_join_cycles_of_two_factors() -> None:
    num_joins = 0
    for seed in range(400):
        rng = Random(seed)
        size = rng.randint(9, 40)
        order = rng.sample(range(size), size)
        ends = sorted(rng.sample(range(3, size - 2, 3), rng.randint(1, 2)))
        parts = [order[i:j] for i, j in pairwise([0, *ends, size])]
        factor_edges = [edge for part in parts for edge in pairwise([*part, part[0]])]
        edges = {(min(edge), max(edge)) for edge in factor_edges}
        edges |= set(random_edges(rng, range(size), rng.randint(size // 2, 2 * size)))
        graph = CycleGraph(size, [(k, u, v) for k, (u, v) in enumerate(sorted(edges), 1)])
        model = [graph.variables[u][v] for u, v in factor_edges]
        factor = graph.two_factor(model)
        assert factor is not None and len(factor.cycles) == len(parts)
        factor.join()
        assert all(len({*links}) == 2 for links in factor.links)
        assert all((min(u, v), max(u, v)) in edges for u in range(size) for v in factor.links[u])
        cycles = cycles_of_links(factor.links)
        assert {frozenset(cycle) for cycle in factor.cycles} == cycles, seed
        assert len(cycles) <= len(parts)
        num_joins += len(parts) - len(cycles)
    assert num_joins > 100

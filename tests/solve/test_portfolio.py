"""Portfolio for Hamiltonian cycles: each method against brute force, and whole commands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import combinations, pairwise, permutations
from random import Random
from typing import Any

import pytest
from helpers.lazy_tours import EMBEDDED_CUTS, solve_json
from helpers.solver_runs import boardsat

from boardsat.adapters.lazy_cuts import contraction, portfolio, tree_decomposition
from boardsat.adapters.lazy_cuts.incremental_solver import IncrementalSolver
from boardsat.adapters.lazy_cuts.portfolio import (
    CONTRACTION,
    CUTS,
    PORTFOLIO,
    TREE_DECOMPOSITION,
    UNLIMITED,
)
from boardsat.adapters.lazy_cuts.two_factor import CycleGraph, TwoFactor
from boardsat.workflows.solve import lazy_formulas

Edge = tuple[int, int]

ALONE = {
    CUTS: {"rounds": UNLIMITED, "conflicts": UNLIMITED},
    TREE_DECOMPOSITION: {"combinations": UNLIMITED},
    CONTRACTION: {"rounds": UNLIMITED, "conflicts": UNLIMITED},
}
"""Each method without the others."""

NO_CYCLE = ["flower 5", "flower 7", "flower 25", "petersen 5 2", "petersen 11 2", "petersen 101 2"]
"""Graphs without a Hamiltonian cycle: snarks, and generalised Petersen graphs GP(6k + 5, 2)."""


def random_graph(random: Random) -> tuple[int, list[Edge]]:
    vertices, density = random.randint(3, 8), random.uniform(0.3, 0.9)
    edges = [pair for pair in combinations(range(vertices), 2) if random.random() < density]
    return vertices, edges


def cycles_of(vertices: int, edges: Iterable[Edge]) -> list[set[frozenset[int]]]:
    """Return all Hamiltonian cycles as sets of edges."""
    pairs = set(map(frozenset, edges))
    tours = ([0, *order, 0] for order in permutations(range(1, vertices)))
    cycles = [set(map(frozenset, pairwise(tour))) for tour in tours]
    return [cycle for cycle in cycles if cycle <= pairs]


def degree_clauses(incident: Iterable[Iterable[int]]) -> list[list[int]]:
    """Return clauses for two true edges at every vertex."""
    clauses = []
    for variables in map(list, incident):
        clauses += [[-v for v in triple] for triple in combinations(variables, 3)]
        clauses += [list(rest) for rest in combinations(variables, max(0, len(variables) - 1))]
        clauses += [[]] if len(variables) < 2 else []
    return clauses


def cycle_task(vertices: int, edges: list[Edge], units: Iterable[int] = ()) -> portfolio.CycleTask:
    graph = CycleGraph(vertices, [(k, u, v) for k, (u, v) in enumerate(edges, 1)])
    solver = IncrementalSolver("cadical195")
    solver.add(degree_clauses(graph.variables[v].values() for v in range(vertices)))
    solver.add([unit] for unit in units)
    return portfolio.CycleTask(
        graph, solver, frozenset(units), partial(IncrementalSolver, "cadical195")
    )


@pytest.mark.parametrize("method", ALONE)
def test_each_method_alone_agrees_with_brute_force(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, answers = Random(29), []
    for number in range(250):
        # Small degrees leave a core, and few binomial counts use counters.
        monkeypatch.setattr(contraction, "MAX_DEGREE", number % 4 + 2)
        monkeypatch.setattr(contraction, "MAX_BINOMIAL", number % 3 + 2)
        vertices, edges = random_graph(random)
        units = [random.choice([-k, k]) for k in range(1, len(edges) + 1) if random.random() < 0.1]
        expected = [
            cycle
            for cycle in cycles_of(vertices, edges)
            if all((frozenset(edges[abs(unit) - 1]) in cycle) == (unit > 0) for unit in units)
        ]
        run = portfolio.run_portfolio(cycle_task(vertices, edges, units), [(method, ALONE[method])])
        if run.decision is None:
            # Contraction needs a vertex of a small degree.
            assert method == CONTRACTION, (vertices, edges, units)
            continue
        model = run.decision.result.model
        answers.append(model is not None)
        if model is None:
            assert not expected, (vertices, edges, units)
        else:
            true = {frozenset(edges[literal - 1]) for literal in model if 0 < literal <= len(edges)}
            assert true in expected, (vertices, edges, units)
    assert 50 < sum(answers) < len(answers) - 50 and len(answers) > 200


def test_joined_two_factors_are_two_factors() -> None:
    """Exchanges keep all degrees and use edges of the graph only."""
    random, num_joined = Random(5), 0
    for _ in range(300):
        sizes = [random.randint(3, 5) for _ in range(random.randint(2, 4))]
        vertices, links, start = sum(sizes), [], 0
        for size in sizes:
            cycle = [*range(start, start + size)]
            links += [[cycle[k - 1], cycle[(k + 1) % size]] for k in range(size)]
            start += size
        edges = {tuple(sorted((v, u))) for v in range(vertices) for u in links[v]}
        edges |= {pair for pair in combinations(range(vertices), 2) if random.random() < 0.25}
        graph = CycleGraph(vertices, [(k, u, v) for k, (u, v) in enumerate(sorted(edges), 1)])
        factor = TwoFactor(graph, links)
        before = len(factor.cycles)
        assert before == len(sizes)
        factor.join()
        assert sorted(v for cycle in factor.cycles for v in cycle) == list(range(vertices))
        assert all(len(set(neighbours)) == 2 for neighbours in factor.links)
        assert len(set(factor.edges())) == vertices
        assert len(factor.cycles) <= before
        num_joined += len(factor.cycles) == 1
        # Each cut separates a cycle from the other vertices.
        for cut in factor.cuts():
            assert any(
                cut == sorted(k for k, (u, v) in graph.ends.items() if (u in cycle) != (v in cycle))
                for cycle in map(set, factor.cycles)
            )
    assert num_joined > 100


def test_three_cycles_are_joined_by_six_edges() -> None:
    """No two of three triangles are joined by 2-opt, but one 3-opt exchange joins all."""
    links = [[1, 2], [2, 0], [0, 1], [4, 5], [5, 3], [3, 4], [7, 8], [8, 6], [6, 7]]
    edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (6, 7), (7, 8), (6, 8)]
    edges += [(0, 3), (4, 6), (7, 1)]
    graph = CycleGraph(9, [(k, u, v) for k, (u, v) in enumerate(edges, 1)])
    factor = TwoFactor(graph, links)
    factor.join()
    assert len(factor.cycles) == 1


def test_interrupted_program_continues() -> None:
    vertices, edges = 60, [(i, (i + 1) % 60) for i in range(60)]
    edges += [(i, (i + 3) % 60) for i in range(60)]
    results = []
    for step in (1, UNLIMITED):
        elimination = tree_decomposition.eliminate(vertices, edges)
        assert elimination.is_complete
        program = tree_decomposition.CycleProgram(elimination, edges)
        limit = 0
        while not program.is_finished:
            limit = program.combinations + step
            program.advance(limit)
        results.append((program.cycle, program.combinations))
    assert results[0] == results[1] and results[0][0] is not None


def test_wide_graphs_are_left_to_other_methods() -> None:
    complete = list(combinations(range(20), 2))
    elimination = tree_decomposition.eliminate(20, complete)
    assert not elimination.order and not elimination.is_complete
    run = portfolio.run_portfolio(
        cycle_task(20, complete), [(TREE_DECOMPOSITION, ALONE[TREE_DECOMPOSITION])]
    )
    assert run.decision is None


@pytest.mark.parametrize("graph", NO_CYCLE)
def test_graphs_without_hamiltonian_cycle_are_refuted(graph: str) -> None:
    code, result = solve_json("hamilton", *EMBEDDED_CUTS, "--set", f"graph={graph}")
    assert (code, result["fallback_encoding"]) == (20, "")
    assert result["method"] == result["portfolio"][-1]["method"]


@pytest.mark.parametrize("method", ALONE)
@pytest.mark.parametrize("graph", ["flower 5", "petersen 17 2", "petersen 30 2", "grid 3 22"])
def test_each_slice_alone_decides_commands(
    graph: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lazy_formulas, "PORTFOLIO", ((method, ALONE[method]),))
    code, result = solve_json("hamilton", *EMBEDDED_CUTS, "--set", f"graph={graph}")
    assert code == (20 if graph in ("flower 5", "petersen 17 2") else 10)
    assert result["method"] == method and [x["method"] for x in result["portfolio"]] == [method]
    assert code == 20 or result["checked"] == ["model", "board"]


def test_answer_names_portfolio_and_method() -> None:
    arguments = ("hamilton", *EMBEDDED_CUTS, "--set", "graph=flower 25")
    output = boardsat("solve", *arguments)
    assert output.code == 20
    (line,) = [line for line in output.out.splitlines() if line.startswith("portfolio: ")]
    assert line.startswith("portfolio: cuts (") and line.endswith("; decided by tree decomposition")


def test_equal_seeds_give_equal_answers() -> None:
    def answer(seed: int) -> dict[str, Any]:
        arguments = ("--set", "graph=petersen 60 2", "--seed", seed)
        _, result = solve_json("hamilton", *EMBEDDED_CUTS, *arguments)
        slices = [portfolio_slice["work"] for portfolio_slice in result["portfolio"]]
        return {"board": result["board"], "slices": slices}

    assert answer(3) == answer(3)


def test_portfolio_has_growing_slices() -> None:
    previous: dict[str, dict[str, int]] = {}
    for method, limits in PORTFOLIO:
        smaller = previous.get(method, dict.fromkeys(limits, 0))
        assert all(limits[unit] > smaller[unit] for unit in limits)
        previous[method] = limits
    assert previous.keys() == portfolio.METHODS.keys()

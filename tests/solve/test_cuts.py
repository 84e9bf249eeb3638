"""Cuts of lazy tours: generation, validation, joined subtours, and solving in rounds."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.board_geometry import SMALL as SHAPES
from helpers.board_geometry import build_board
from helpers.board_geometry import settings_for as shape_settings
from helpers.formulas import clauses_of, mostly_slow, one_in, shipped
from helpers.lazy_tours import EMBEDDED_CUTS, board_options, graph_file, solve_json
from helpers.requirements import outside
from helpers.solutions import USE_EMBEDDED, is_closed_tour
from helpers.solver_runs import (
    LOCAL_RUNTIMES,
    RUNTIMES,
    boardsat,
    instance,
    need_checked_proofs,
    read_clauses,
    require_solver,
)
from helpers.tour_search import (
    BOARDS,
    GRAPH_EDGES,
    Edges,
    Neighbours,
    adjacency_lists,
    leaper,
    searched_tour_edges,
)
from pysat.solvers import Solver

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, SolverRun, Status, TerminationReason, Usage
from boardsat.adapters.lazy_cuts.connectivity_cuts import (
    EdgeGraph,
    components,
    edge_cuts,
    find_cuts,
    join_subtours,
)
from boardsat.adapters.lazy_cuts.cut_validation import CutChecker
from boardsat.adapters.lazy_cuts.lazy_constraints import read_lazy_constraints
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.solve import lazy_formulas


def all_tours(problem: FormulaFile) -> tuple[list[Edges], list[list[int]]]:
    """The edges of every model that needs no more cuts, and the cuts that led there."""
    request = read_lazy_constraints(problem.header)
    edges = problem.header.variables["E"]
    result, cuts = [], []
    with Solver("minisat22", bootstrap_with=read_clauses(problem.path)) as solver:
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            lacking = find_cuts(request.graphs, true)
            if lacking is not None:
                assert all(not true & set(cut) for cut in lacking.cuts)
                cuts += lacking.cuts
                for cut in lacking.cuts:
                    solver.add_clause(cut)
                continue
            values = np.zeros(problem.variables + 1, np.bool_)
            values[list(true)] = True
            ends = edges.members(values)
            result.append(frozenset(zip(*(end.tolist() for end in ends), strict=True)))
            solver.add_clause([-v if v in true else v for v in edges.ids.tolist()])
    return sorted(result, key=sorted), cuts


def check_all(problem: FormulaFile, tours: list[Edges]) -> None:
    """The tours are those of a search, and each satisfies every cut: cuts follow."""
    result, cuts = all_tours(problem)
    assert result == tours
    edges = problem.header.variables["E"]
    pairs = list(zip(*np.unravel_index(edges.keys, edges.shape), strict=True))
    number = dict(zip([(int(u), int(v)) for u, v in pairs], edges.ids.tolist(), strict=True))
    (graph,) = read_lazy_constraints(problem.header).graphs
    judge = CutChecker(graph)
    for cut in cuts:
        assert judge.is_cut(cut)
        # One through which a path enters may leave by the ends of it alone.
        if problem.header.parameters["closed"]:
            assert all({number[edge] for edge in tour} & set(cut) for tour in tours)


# The cuts, against search.


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(("rows", "cols", "moves", "steps"), one_in(3, BOARDS))
def test_tours_of_other_leapers_match_search(
    rows: int,
    cols: int,
    moves: str,
    steps: Sequence[tuple[int, int]],
    closed: bool,
    tmp_path: Path,
) -> None:
    neighbours = leaper(rows, cols, *steps)
    for start in (0, rows * cols // 2):
        settings = {"rows": rows, "cols": cols, "moves": moves, "start": start, "closed": closed}
        problem = open_formula(instance(tmp_path, "tour/cuts", **settings))
        check_all(problem, searched_tour_edges(neighbours, start, closed))


def check_graph(neighbours: Neighbours, folder: Path) -> int:
    edges = [(u, v) for u, near in enumerate(neighbours) for v in near if u < v]
    path = graph_file(folder, edges, len(neighbours))
    for closed, start in [(True, 0), (False, 0), (False, len(neighbours) - 1)]:
        settings = {"graph": path, "closed": closed, "start": start + 1}
        problem = open_formula(instance(folder, "hamilton/cuts", **settings))
        check_all(problem, searched_tour_edges(neighbours, start, closed))
    return len(searched_tour_edges(neighbours))


@pytest.mark.parametrize("name", [name for name in GRAPH_EDGES if name != "one"])
def test_cycles_of_small_graphs_match_search(name: str, tmp_path: Path) -> None:
    edges = GRAPH_EDGES[name]
    check_graph(adjacency_lists(1 + max(v for edge in edges for v in edge), edges), tmp_path)


@pytest.mark.parametrize("number", [4, pytest.param(150, marks=pytest.mark.slow)])
def test_cycles_of_random_graphs_match_search(number: int, tmp_path: Path) -> None:
    chance = random.Random(number)
    cycles = 0
    for _ in range(number):
        n = chance.randint(3, 8)
        pairs = list(combinations(range(n), 2))
        edges = chance.sample(pairs, chance.randint(min(n, len(pairs)), len(pairs)))
        cycles += check_graph(adjacency_lists(n, edges), tmp_path) > 0
    assert cycles > number // 3


@pytest.mark.parametrize(("shape", "options"), SHAPES, ids=str)
def test_tours_on_other_boards_match_search(
    shape: str, options: dict[str, Any], tmp_path: Path
) -> None:
    """Compare with the encoding uve, which shares only the degree constraints with cuts."""
    board = build_board(shape, **options)
    start = max(cell for cell in range(board.places) if board.cell(cell) >= 0)
    settings = shape_settings(shape, options) | {"start": start}
    result, _ = all_tours(open_formula(instance(tmp_path, "tour/cuts", **settings)))
    uve = open_formula(instance(tmp_path, "tour/uve", **settings))
    edges = uve.header.variables["E"]
    tours = []
    with Solver("minisat22", bootstrap_with=read_clauses(uve.path)) as solver:
        while solver.solve():
            true = np.zeros(uve.variables + 1, np.bool_)
            true[[literal for literal in solver.get_model() if literal > 0]] = True
            tours.append(
                frozenset(zip(*(end.tolist() for end in edges.members(true)), strict=True))
            )
            solver.add_clause([-v if true[v] else v for v in edges.ids.tolist()])
    assert result == sorted(tours, key=sorted)


RINGS = [(1, 0, 1), (2, 1, 2), (3, 2, 3), (4, 3, 0), (5, 4, 5), (6, 5, 6), (7, 6, 7), (8, 7, 4)]
SQUARES = EdgeGraph(8, [[*RINGS, (9, 0, 4), (10, 1, 5), (11, 2, 7)]])
"""Two squares, whose corners 0 and 1 are joined to 4 and 5, and 2 to 7."""


def test_adjacent_subtours_are_joined() -> None:
    true = set(range(1, 9))
    component_of = components(SQUARES, true)
    assert len(set(component_of)) == 2
    assert [sorted(cut) for cut in edge_cuts(SQUARES, component_of)] == [[9, 10, 11]]
    assert join_subtours(SQUARES, true, component_of) == {2, 3, 4, 6, 7, 8, 9, 10}


def test_subtours_without_exchange_are_unchanged() -> None:
    apart = EdgeGraph(8, [[edge for edge in SQUARES.groups[0] if edge[0] != 10]])
    assert join_subtours(apart, set(range(1, 9)), components(apart, set(range(1, 9)))) is None
    # Edges of two groups are not alike: a tour must not get its ends elsewhere.
    mixed = EdgeGraph(8, [SQUARES.groups[0][:9], SQUARES.groups[0][9:]])
    assert join_subtours(mixed, set(range(1, 9)), components(mixed, set(range(1, 9)))) is None


def test_exchange_that_disconnects_is_rejected() -> None:
    """Without circles, taking an edge away leaves two parts."""
    paths = EdgeGraph(4, [[(1, 0, 1), (2, 2, 3), (3, 0, 2), (4, 1, 3)]])
    assert join_subtours(paths, {1, 2}, components(paths, {1, 2})) is None


def test_clause_that_does_not_separate_is_not_a_cut() -> None:
    judge = CutChecker(SQUARES)
    assert judge.is_cut([9, 10, 11]) and judge.is_cut([1, 4, 9])
    assert not judge.is_cut([9, 10]) and not judge.is_cut([1, 2, 3])
    assert not judge.is_cut([]) and not judge.is_cut([-9, -10, -11])
    assert CutChecker(EdgeGraph(8, [RINGS])).is_cut([])


def test_cut_checker_accepts_exactly_the_cuts() -> None:
    """Every set of edges of a small graph: it follows if a set of vertices has no more leaving."""
    edges = SQUARES.groups[0]
    judge = CutChecker(SQUARES)
    leaving = [
        {variable for variable, u, v in edges if (u in inside) != (v in inside)}
        for size in range(1, 8)
        for inside in map(set, combinations(range(8), size))
    ]
    for size in range(1, 5):
        for clause in combinations([variable for variable, _, _ in edges], size):
            follows = any(cut <= set(clause) for cut in leaving)
            # It looks at the first edge, which is on every cut that has no edge to spare.
            assert not judge.is_cut(clause) or follows
            if any(cut == set(clause) for cut in leaving):
                assert judge.is_cut(clause)


@pytest.mark.parametrize("where", LOCAL_RUNTIMES)
def test_disconnected_graph_is_refuted_without_cuts(where: str, tmp_path: Path) -> None:
    require_solver(solvers.load("cadical"), where)
    path = graph_file(tmp_path, [*combinations(range(4), 2), *combinations(range(4, 8), 2)])
    arguments = ("hamilton", "--enc", "cuts", "--set", f"graph={path}", "--runtime", where)
    code, result = solve_json(*arguments)
    assert (code, result["cuts"], result["rounds"], result["fallback_encoding"]) == (20, 0, 1, "")


# Whole commands.


@pytest.mark.parametrize("side", [6, 8, 20])
def test_closed_tours_are_found_with_cuts(side: int) -> None:
    code, result = solve_json("tour", *EMBEDDED_CUTS, "-n", side)
    assert code == 10 and result["checked"] == ["model", "board"]
    assert is_closed_tour(result["board"])
    assert result["rounds"] >= 1 and result["fallback_encoding"] == ""


@pytest.mark.parametrize("seed", [1, 2])
def test_seed_changes_the_search(seed: int) -> None:
    code, result = solve_json("tour", *EMBEDDED_CUTS, "-n", 10, "--seed", seed)
    assert code == 10 and is_closed_tour(result["board"])
    _, repeated = solve_json("tour", *EMBEDDED_CUTS, "-n", 10, "--seed", seed)
    _, different = solve_json("tour", *EMBEDDED_CUTS, "-n", 10, "--seed", seed + 2)
    assert repeated["board"] == result["board"] != different["board"]


@pytest.mark.parametrize("start", [0, 12])
def test_open_tours_are_found_with_cuts(start: int) -> None:
    arguments = ("-n", 5, "--set", "closed=false", "--set", f"start={start}")
    code, result = solve_json("tour", *EMBEDDED_CUTS, *arguments)
    assert code == 10 and result["checked"] == ["model", "board"]
    assert result["board"][start // 5][start % 5] == 1


@pytest.mark.parametrize(
    ("rows", "cols", "closed"),
    [
        *mostly_slow(
            [(3, 3, True), (5, 5, True), (7, 7, True), (3, 7, True), (3, 5, False), (4, 4, False)],
            [(3, 3, True), (7, 7, True), (3, 5, False)],
        ),
        *mostly_slow(
            [(4, 4, True), (4, 7, True), (4, 10, True), (3, 8, True), (3, 6, False)],
            [(4, 7, True), (3, 8, True), (3, 6, False)],
        ),
    ],
)
def test_boards_without_tour_are_refuted(rows: int, cols: int, closed: bool) -> None:
    arguments = (*board_options(rows, cols), "--set", f"closed={str(closed).lower()}")
    code, result = solve_json("tour", *EMBEDDED_CUTS, *arguments)
    assert code == 20 and result["fallback_encoding"] == ""


@pytest.mark.parametrize("start", [1, 7])
def test_start_of_wrong_colour_is_refuted(start: int) -> None:
    arguments = ("-n", 5, "--set", "closed=false", "--set", f"start={start}")
    code, result = solve_json("tour", *EMBEDDED_CUTS, *arguments)
    assert (code, result["rounds"], result["cuts"]) == (20, 1, 0)


def test_colour_argument_refutes_without_cuts() -> None:
    """The file itself has the empty clause, and no others do."""
    for settings, refuted in [
        ({"n": 7}, True),
        ({"n": 21}, True),
        ({"n": 6}, False),
        ({"n": 5, "closed": False}, False),
        ({"n": 5, "closed": False, "start": 1}, True),
        ({"rows": 3, "cols": 4, "closed": False, "start": 5}, False),
        ({"n": 5, "moves": "king"}, False),
    ]:
        formula = shipped("tour/cuts", **settings)
        assert ([] in clauses_of(formula)) == refuted, settings


@pytest.mark.slow
def test_models_option_enumerates_all_boards_of_lazy_formula() -> None:
    output = boardsat(
        "solve",
        "tour",
        "--enc",
        "cuts",
        *board_options(5, 6),
        "--models",
        10,
        *USE_EMBEDDED,
        "--json",
    )
    results = json.loads(output.out)
    assert [r["status"] for r in results] == ["SATISFIABLE"] * 8 + ["UNSATISFIABLE"]
    assert len({json.dumps(r["board"]) for r in results[:-1]}) == 8


@pytest.mark.parametrize("where", RUNTIMES)
def test_program_is_run_once_for_each_round(where: str) -> None:
    require_solver(solvers.load("cadical"), where)
    code, result = solve_json("tour", "--enc", "cuts", *board_options(5, 6), "--runtime", where)
    assert code == 10 and is_closed_tour(result["board"])
    code, result = solve_json("tour", "--enc", "cuts", *board_options(3, 8), "--runtime", where)
    assert code == 20 and result["rounds"] > 1 and result["cuts"] > 0
    assert result["checked"] == [f"cuts ({result['cuts']})"] and result["unchecked"] == ["proof"]


def test_non_incremental_solver_is_run_again_each_round(tmp_path: Path) -> None:
    """Use a solver file of the user, which runs like Kissat."""
    path = tmp_path / "plain.yaml"
    path.write_text(
        "title: for a test\ndialect: competition\ncan: decide\npackage: python-sat\n"
        'embedded: "pysat glucose4 {{ file }}"\n'
    )
    arguments = (
        "tour",
        "--enc",
        "cuts",
        *board_options(3, 8),
        "--solver",
        path,
        "--runtime",
        "embedded",
    )
    code, result = solve_json(*arguments)
    assert code == 20 and result["rounds"] > 1


def test_satisfiable_without_model_is_unknown_for_lazy_formula() -> None:
    """A model of the clauses alone may violate the lazy constraints."""
    output = Answer(
        Status.SATISFIABLE,
        "",
        SolverRun("x", "", "native", TerminationReason.FINISHED, 10, Usage(0.0)),
    )
    result = lazy_formulas._without_model(output)
    assert result.status is Status.UNKNOWN and "no model" in result.reason


@outside
def test_proof_refutes_the_formula_with_its_cuts(tmp_path: Path) -> None:
    need_checked_proofs()
    code, result = solve_json("tour", "--enc", "cuts", *board_options(3, 8), "--proof")
    assert code == 20 and result["cuts"] > 0
    assert result["checked"] == ["proof", f"cuts ({result['cuts']})"] and result["unchecked"] == []

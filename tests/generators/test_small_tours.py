"""Tours of one to six cells: every encoding, program, counter and solver against brute force.

A closed tour has at least three cells; a single cell has one open tour.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.counts import counted
from helpers.formulas import is_lazy, mostly_slow, one_in, shipped, solutions
from helpers.frontier_counts import count_cycles, count_paths
from helpers.lazy_tours import solve_json
from helpers.small_graphs import dimacs_text
from helpers.solutions import USE_EMBEDDED
from helpers.solver_runs import boardsat
from helpers.tour_search import has_parameter
from helpers.validations import EMBEDDED, validated

from boardsat.adapters.boards import GraphBoard
from boardsat.adapters.heuristics import NoTourError, heuristic, search_on, two_colouring
from boardsat.adapters.rules import violations
from boardsat.adapters.views import Solution, Tour
from boardsat.generators import InputError, find, program
from boardsat.generators.asp import methods
from boardsat.generators.spec.catalogue import encodings_of

Edges = tuple[tuple[int, int], ...]
Graph = tuple[int, Edges]

ENCODINGS = [name for name in encodings_of("hamilton") if not is_lazy(f"hamilton/{name}")]
SWITCHES = ("one_direction", "distance", "parity", "no_two_cycles", "degrees")


def complete(n: int) -> Edges:
    return tuple(combinations(range(n), 2))


def graphs(n: int) -> Iterator[Graph]:
    """Yield all labelled graphs with n vertices."""
    for number in range(len(complete(n)) + 1):
        yield from ((n, edges) for edges in combinations(complete(n), number))


TINY: list[Graph] = [
    *graphs(1),
    *graphs(2),
    (3, complete(3)),
    (4, ((0, 1), (0, 3), (1, 2), (2, 3))),
]
"""Graphs for `make test`; `make test-all` tries all graphs."""


def tours(graph: Graph, start: int, closed: bool) -> list[tuple[int, ...]]:
    """Return all tours by brute force; a cycle appears once in each direction."""
    n, edges = graph
    arcs = {*edges, *((v, u) for u, v in edges)}
    orders = ((start, *tail) for tail in permutations(set(range(n)) - {start}))
    if not closed:
        return [order for order in orders if arcs.issuperset(pairwise(order))]
    if n < 3:
        return []
    return [order for order in orders if arcs.issuperset(pairwise((*order, start)))]


def check_encoding(encoding: str, graph: Graph, switches: Sequence[str], starts: set[int]) -> None:
    names = [name for name in switches if has_parameter(f"hamilton/{encoding}", name)]
    for closed, start in product((True, False), starts):
        num_tours = len(tours(graph, start, closed)) / (2 if closed else 1)
        for values in product((False, True), repeat=len(names)):
            settings: dict[str, Any] = dict(zip(names, values, strict=True))
            settings |= {"graph": dimacs_text(graph), "closed": closed, "start": start + 1}
            try:
                formula = shipped(f"hamilton/{encoding}", **settings)
            except InputError as error:
                assert settings["parity"] and "bipartite" in error.fault
                continue
            header = formula.header
            expected = num_tours * header.objects["models_per_solution"]
            projection = header.projection.tolist()
            assert sum(1 for _ in solutions(formula, projection)) == expected, settings
            if header.count_preserving:
                assert sum(1 for _ in solutions(formula)) == expected, settings


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encoding_counts_tours_of_tiny_graphs(encoding: str) -> None:
    for graph in TINY:
        check_encoding(encoding, graph, ["one_direction"], {graph[0] - 1})


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encoding_with_all_switches_counts_tours(encoding: str) -> None:
    chance = random.Random(encoding)
    larger = [(n, tuple(e for e in complete(n) if chance.random() < 0.7)) for n in (4, 5, 6)]
    for graph in (*graphs(1), *graphs(2), *graphs(3), *larger):
        check_encoding(encoding, graph, SWITCHES, {0, graph[0] - 1})
    for graph in graphs(4):
        check_encoding(encoding, graph, ["one_direction"], {chance.randrange(4)})


def check_program(method: str, graph: Graph) -> None:
    clingo = pytest.importorskip("clingo")
    for closed, start, one_direction in product(
        (True, False), sorted({0, graph[0] - 1}), (False, True)
    ):
        settings = {"graph": dimacs_text(graph), "closed": closed, "start": start + 1}
        text = program(
            find("hamilton", "binary"), settings | {"one_direction": one_direction}, method
        )
        control = clingo.Control(["0"])
        control.add("base", [], text)
        control.ground([("base", [])])
        with control.solve(yield_=True) as answer_sets:
            count = sum(1 for _ in answer_sets)
        expected = tours(graph, start, closed)
        assert count == len(expected) // (2 if closed and one_direction else 1), (graph, settings)


ISOLATED_VERTEX: Graph = (4, ((1, 2), (1, 3), (2, 3)))
"""Triangle and an isolated first vertex."""


@pytest.mark.parametrize("method", one_in(5, methods()))
def test_program_counts_tours_of_tiny_graphs(method: str) -> None:
    for graph in (*TINY, ISOLATED_VERTEX):
        check_program(method, graph)


@pytest.mark.slow
@pytest.mark.parametrize("method", methods())
def test_program_counts_tours_of_all_graphs(method: str) -> None:
    for graph in (*graphs(1), *graphs(2), *graphs(3), *graphs(4)):
        check_program(method, graph)


@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_counter_heuristics_and_rules_agree_with_brute_force(n: int) -> None:
    for graph in graphs(n):
        board = GraphBoard(n, 1, frozenset(graph[1]))
        assert count_cycles(*graph) == len(tours(graph, 0, closed=True)) / 2
        for start, closed in product({0, n - 1}, (True, False)):
            expected = tours(graph, start, closed)
            if not closed:
                assert count_paths(*graph, start) == len(expected)
            search = search_on(board, start, closed, 0)
            try:
                two_colouring.refute(search)
                assert tuple(heuristic("backtracking").find(search) or ()) in expected
            except NoTourError:
                assert not expected
            parameters = {"start": start, "closed": closed}
            for order in ((start, *tail) for tail in permutations(set(range(n)) - {start})):
                faults = violations("hamilton", Solution(board, Tour(order)), parameters)
                assert (next(iter(faults or ()), None) is None) == (order in expected), order


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(("number", "graph"), mostly_slow([*enumerate(TINY)], [(2, TINY[2])]))
def test_commands_agree_with_brute_force(
    number: int, graph: Graph, closed: bool, tmp_path: Path
) -> None:
    file = tmp_path / "graph.col"
    file.write_text(dimacs_text(graph))
    arguments = ("--set", f"graph={file}", "--set", f"closed={str(closed).lower()}")
    expected = tours(graph, 0, closed)
    code = 10 if expected else 20
    assert solve_json("hamilton", *arguments, "--enc", "cuts", *USE_EMBEDDED)[0] == code
    assert counted("hamilton", *arguments)["count"] == len(expected) / (2 if closed else 1)
    if number > 2:
        for name in ("backtracking", "warnsdorff", "parberry", "neural"):
            assert solve_json("hamilton", *arguments, "--solver", name)[0] in (0, code), name


# Boards without moves, and of one or two squares.

BOARDS: list[tuple[dict[str, Any], int, int]] = [
    ({"rows": 1, "cols": 1}, 0, 1),
    ({"rows": 1, "cols": 2, "moves": "wazir"}, 0, 1),
    ({"rows": 2, "cols": 2, "holes": "0,3", "start": 1, "moves": "ferz"}, 0, 1),
    ({"n": 2}, 0, 0),
    ({"shape": "torus", "rows": 1, "cols": 2, "moves": "wazir"}, 0, 1),
    ({"shape": "hexagon", "n": 1}, 0, 1),
    ({"rows": 2, "cols": 2, "moves": "wazir"}, 1, 2),
    ({"rows": 2, "cols": 2, "moves": "wazir", "start": "any"}, 1, 8),
    ({"rows": 1, "cols": 1, "start": "any"}, 0, 1),
]


@pytest.mark.parametrize("encoding", one_in(5, ENCODINGS))
def test_tiny_board_has_expected_number_of_tours(encoding: str) -> None:
    for settings, *numbers in BOARDS:
        for closed, number in zip((True, False), numbers, strict=True):
            formula = shipped(f"tour/{encoding}", closed=closed, **settings)
            models = sum(1 for _ in solutions(formula, formula.header.projection.tolist()))
            assert models == number * formula.header.objects["models_per_solution"], settings


@pytest.mark.parametrize("blocked", ["holes=0", "friends=rook@0"])
def test_closed_tour_starts_at_first_free_square(blocked: str) -> None:
    arguments = ("--set", "rows=3", "--set", "cols=3", "--set", "moves=king", "--set", blocked)
    code, result = solve_json("tour", *arguments, *USE_EMBEDDED)
    assert code == 10 and result["instance"]["settings"]["start"] == 1
    assert result["board"][0][1] == 1


@pytest.mark.parametrize(
    "solver",
    mostly_slow(["backtracking", "warnsdorff", "neural", "parberry", "clingo"], ["neural"]),
)
def test_board_solver_finds_open_tour_from_any_start(solver: str) -> None:
    arguments = ("-n", "6", "--set", "closed=false", "--set", "start=any", "--runtime", "embedded")
    code, result = solve_json("tour", *arguments, "--solver", solver)
    assert (code, result["checked"]) == (10, ["board"])


def test_open_tour_of_single_square_is_shown() -> None:
    arguments = ("--set", "rows=1", "--set", "cols=1", "--set", "closed=false")
    code, result = solve_json("tour", *arguments, *USE_EMBEDDED)
    assert (code, result["board"], result["checked"]) == (10, [[1]], ["model", "board"])


@pytest.mark.parametrize("turn", ["90", "180"])
def test_symmetric_encoding_counts_symmetric_tours(turn: str) -> None:
    sizes = [(2, 2)] if turn == "90" else [(1, 2), (2, 2), (2, 3)]
    for (rows, cols), (moves, max_distance), one_direction in product(
        sizes, [("wazir", 1), ("king", 2), ("knight", 5)], (False, True)
    ):
        cells = list(product(range(rows), range(cols)))
        min_distance = {"wazir": 0, "king": 1, "knight": 5}[moves]
        edges = tuple(
            (u, v)
            for (u, a), (v, b) in combinations(enumerate(cells), 2)
            if min_distance <= (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= max_distance
        )
        symmetric = [
            order
            for order in tours((len(cells), edges), 0, True)
            if is_symmetric(order, cells, turn)
        ]
        formula = shipped(
            "symmetric/binary",
            rows=rows,
            cols=cols,
            moves=moves,
            turn=turn,
            one_direction=one_direction,
        )
        count = sum(1 for _ in solutions(formula))
        expected = len(symmetric) // (2 if one_direction else 1)
        assert count == expected, (rows, cols, moves, one_direction)


def is_symmetric(order: tuple[int, ...], cells: list[tuple[int, int]], turn: str) -> bool:
    """Return whether the rotation maps every move of the tour to a move in its direction."""
    rows, cols = np.array(cells).max(axis=0) + 1
    image = {
        cell: cells.index((c, rows - 1 - r) if turn == "90" else (rows - 1 - r, cols - 1 - c))
        for cell, (r, c) in enumerate(cells)
    }
    steps = set(pairwise((*order, order[0])))
    return steps == {(image[a], image[b]) for a, b in steps}


@pytest.mark.slow
def test_validation_of_tiny_board_finds_no_disagreement(tmp_path: Path) -> None:
    arguments = [
        "--set",
        "rows=1",
        "--set",
        "cols=2",
        "--set",
        "moves=wazir",
        "--enc",
        "binary,hve,uve",
    ]
    solvers = "cadical,backtracking,clingo,frontier,enumeration"
    code, report = validated(tmp_path, "tour", *arguments, *EMBEDDED, solvers)
    assert code != 1 and report["verdict"] != "disagree"
    assert {run["status"] for run in report["runs"] if run["status"] != "UNKNOWN"} == {
        "UNSATISFIABLE"
    }
    assert report["bug_reports"] == report["disagreements"] == []


@pytest.mark.slow
def test_validation_of_wrong_encoding_blames_no_solver(tmp_path: Path) -> None:
    """The planted encoding has no closed tour of four squares; all solvers are correct."""
    spec = tmp_path / "planted.yaml"
    spec.write_text(
        "title: planted\nextends: tour/binary\nconstraints:\n"
        "  - name: planted\n    clause: 'false'\n    empty: unsatisfiable\n"
    )
    arguments = [
        "--set",
        "rows=2",
        "--set",
        "cols=2",
        "--set",
        "moves=wazir",
        "--reduce-timeout",
        5,
    ]
    solvers = "cadical,minisat,backtracking,frontier,enumeration"
    code, report = validated(
        tmp_path, "tour", "--enc", f"{spec},unary", *arguments, *EMBEDDED, solvers
    )
    assert code == 1 and report["verdict"] == "disagree"
    assert report["bug_reports"] == []
    assert all(Path(folder).name.startswith("encodings-") for folder in report["disagreements"])
    assert report["disagreements"]
    output = boardsat("validate", "tour", "--enc", f"{spec},unary", *arguments, *EMBEDDED, solvers)
    assert "disagreement without a solver proved wrong: " in output.out

"""Tours whose connectedness is found while solving: cuts, exchanges, rounds, another encoding."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from outside import outside
from pysat.solvers import Solver
from running import (
    HERE_OR_THERE,
    RUNTIMES,
    boardsat,
    clauses_in,
    instance,
    need,
    need_checked_proofs,
)
from support import GRAPHS, catalogue, clauses_of, is_lazy, shipped
from test_boards import SMALL as SHAPES
from test_boards import generated
from test_boards import settings_for as shape_settings
from test_solving import HERE, is_closed_tour
from test_tours import BOARDS, GRAPH_EDGES, Neighbours, leaper
from test_undirected import Edges, expected, flower, graph

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, End, Status, Usage
from boardsat.adapters.cuts import incremental
from boardsat.adapters.cuts.finding import EdgeGraph, Judge, missing, parts, patched, violated
from boardsat.adapters.cuts.lazy_lines import order_of, read_lazy
from boardsat.adapters.dialects import DIALECTS
from boardsat.adapters.dimacs.reader import validate
from boardsat.adapters.errors import AdapterError, WrongAnswerError
from boardsat.adapters.runtimes import Limits
from boardsat.generators import build, find, transform, write
from boardsat.generators.catalogue import encodings_of
from boardsat.generators.sections.parameters import settings_for
from boardsat.problem import Problem, open_problem
from boardsat.solving import lazy
from boardsat.solving.asking import SolveRequest, ask
from boardsat.solving.checking import examine

LAZY = [name for name in catalogue() if is_lazy(name)]
HERE_AND_NOW = ("--enc", "cuts", "--runtime", "embedded")


def solved(*words: object) -> tuple[int, dict[str, Any]]:
    said = boardsat("solve", *words, "--json")
    assert said.err == ""
    found: dict[str, Any] = json.loads(said.out)
    return said.code, found


def board(rows: int, cols: int) -> tuple[str, ...]:
    return ("--set", f"rows={rows}", "--set", f"cols={cols}")


def graph_file(folder: Path, edges: Sequence[tuple[int, int]], vertices: int = 0) -> Path:
    path = folder / "graph.col"
    vertices = vertices or 1 + max(v for edge in edges for v in edge)
    lines = [f"p edge {vertices} {len(edges)}", *(f"e {u + 1} {v + 1}" for u, v in edges)]
    path.write_text("\n".join(lines) + "\n")
    return path


def all_tours(problem: Problem) -> tuple[list[Edges], list[list[int]]]:
    """The edges of every model that needs no more cuts, and the cuts that led there."""
    asked = read_lazy(problem.header)
    edges = problem.header.variables["E"]
    found, cuts = [], []
    with Solver("minisat22", bootstrap_with=clauses_in(problem.path)) as solver:
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            lacking = missing(asked.graphs, true)
            if lacking is not None:
                assert all(not true & set(cut) for cut in lacking.cuts)
                cuts += lacking.cuts
                for cut in lacking.cuts:
                    solver.add_clause(cut)
                continue
            values = np.zeros(problem.variables + 1, np.bool_)
            values[list(true)] = True
            ends = edges.members(values)
            found.append(frozenset(zip(*(end.tolist() for end in ends), strict=True)))
            solver.add_clause([-v if v in true else v for v in edges.ids.tolist()])
    return sorted(found, key=sorted), cuts


def check_all(problem: Problem, tours: list[Edges]) -> None:
    """The tours are those of a search, and each satisfies every cut: cuts follow."""
    found, cuts = all_tours(problem)
    assert found == tours
    edges = problem.header.variables["E"]
    pairs = list(zip(*np.unravel_index(edges.keys, edges.shape), strict=True))
    number = dict(zip([(int(u), int(v)) for u, v in pairs], edges.ids.tolist(), strict=True))
    (graph,) = read_lazy(problem.header).graphs
    judge = Judge(graph)
    for cut in cuts:
        assert judge.is_cut(cut)
        # One through which a path enters may leave by the ends of it alone.
        if problem.header.parameters["closed"]:
            assert all({number[edge] for edge in tour} & set(cut) for tour in tours)


# The cuts, against search.


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(("rows", "cols", "moves", "steps"), BOARDS)
def test_other_leapers(
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
        problem = open_problem(instance(tmp_path, "tour/cuts", **settings))
        check_all(problem, expected(neighbours, start, closed))


def check_graph(neighbours: Neighbours, folder: Path) -> int:
    edges = [(u, v) for u, near in enumerate(neighbours) for v in near if u < v]
    path = graph_file(folder, edges, len(neighbours))
    for closed, start in [(True, 0), (False, 0), (False, len(neighbours) - 1)]:
        settings = {"graph": path, "closed": closed, "start": start}
        problem = open_problem(instance(folder, "hamilton/cuts", **settings))
        check_all(problem, expected(neighbours, start, closed))
    return len(expected(neighbours))


@pytest.mark.parametrize("name", [name for name in GRAPH_EDGES if name != "one"])
def test_small_graphs(name: str, tmp_path: Path) -> None:
    edges = GRAPH_EDGES[name]
    check_graph(graph(1 + max(v for edge in edges for v in edge), edges), tmp_path)


@pytest.mark.parametrize("number", [4, pytest.param(150, marks=pytest.mark.slow)])
def test_random_graphs(number: int, tmp_path: Path) -> None:
    chance = random.Random(number)
    cycles = 0
    for _ in range(number):
        n = chance.randint(3, 8)
        pairs = list(combinations(range(n), 2))
        edges = chance.sample(pairs, chance.randint(min(n, len(pairs)), len(pairs)))
        cycles += check_graph(graph(n, edges), tmp_path) > 0
    assert cycles > number // 3


@pytest.mark.parametrize(("shape", "options"), SHAPES, ids=str)
def test_other_boards(shape: str, options: dict[str, Any], tmp_path: Path) -> None:
    """As uve has them, which shares nothing with cuts but the degrees."""
    made = generated(shape, **options)
    start = max(place for place in range(made.places) if made.cell(place) >= 0)
    settings = shape_settings(shape, options) | {"start": start}
    found, _ = all_tours(open_problem(instance(tmp_path, "tour/cuts", **settings)))
    other = open_problem(instance(tmp_path, "tour/uve", **settings))
    edges = other.header.variables["E"]
    tours = []
    with Solver("minisat22", bootstrap_with=clauses_in(other.path)) as solver:
        while solver.solve():
            true = np.zeros(other.variables + 1, np.bool_)
            true[[literal for literal in solver.get_model() if literal > 0]] = True
            tours.append(
                frozenset(zip(*(end.tolist() for end in edges.members(true)), strict=True))
            )
            solver.add_clause([-v if true[v] else v for v in edges.ids.tolist()])
    assert found == sorted(tours, key=sorted)


RINGS = [(1, 0, 1), (2, 1, 2), (3, 2, 3), (4, 3, 0), (5, 4, 5), (6, 5, 6), (7, 6, 7), (8, 7, 4)]
SQUARES = EdgeGraph(8, [[*RINGS, (9, 0, 4), (10, 1, 5), (11, 2, 7)]])
"""Two squares, whose corners 0 and 1 are joined to 4 and 5, and 2 to 7."""


def test_two_circles_side_by_side_become_one() -> None:
    true = set(range(1, 9))
    part = parts(SQUARES, true)
    assert len(set(part)) == 2
    assert [sorted(cut) for cut in violated(SQUARES, part)] == [[9, 10, 11]]
    assert patched(SQUARES, true, part) == {2, 3, 4, 6, 7, 8, 9, 10}


def test_what_cannot_be_exchanged_is_left() -> None:
    apart = EdgeGraph(8, [[edge for edge in SQUARES.groups[0] if edge[0] != 10]])
    assert patched(apart, set(range(1, 9)), parts(apart, set(range(1, 9)))) is None
    # Edges of two groups are not alike: a tour must not get its ends elsewhere.
    mixed = EdgeGraph(8, [SQUARES.groups[0][:9], SQUARES.groups[0][9:]])
    assert patched(mixed, set(range(1, 9)), parts(mixed, set(range(1, 9)))) is None


def test_an_exchange_that_tears_apart_is_no_tour() -> None:
    """Without circles, taking an edge away leaves two parts."""
    paths = EdgeGraph(4, [[(1, 0, 1), (2, 2, 3), (3, 0, 2), (4, 1, 3)]])
    assert patched(paths, {1, 2}, parts(paths, {1, 2})) is None


def test_only_what_separates_is_a_cut() -> None:
    judge = Judge(SQUARES)
    assert judge.is_cut([9, 10, 11]) and judge.is_cut([1, 4, 9])
    assert not judge.is_cut([9, 10]) and not judge.is_cut([1, 2, 3])
    assert not judge.is_cut([]) and not judge.is_cut([-9, -10, -11])
    assert Judge(EdgeGraph(8, [RINGS])).is_cut([])


def test_all_cuts_and_no_others() -> None:
    """Every set of edges of a small graph: it follows if a set of vertices has no more leaving."""
    edges = SQUARES.groups[0]
    judge = Judge(SQUARES)
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


@pytest.mark.parametrize("where", HERE_OR_THERE)
def test_a_graph_in_parts_gives_the_empty_clause(where: str, tmp_path: Path) -> None:
    need(solvers.load("cadical"), where)
    path = graph_file(tmp_path, [*combinations(range(3), 2), *combinations(range(3, 6), 2)])
    words = ("hamilton", "--enc", "cuts", "--set", f"graph={path}", "--runtime", where)
    code, result = solved(*words)
    assert (code, result["cuts"], result["rounds"], result["instead"]) == (20, 1, 2, "")


# Whole commands.


@pytest.mark.parametrize("side", [6, 8, 20])
def test_closed_tours(side: int) -> None:
    code, result = solved("tour", *HERE_AND_NOW, "-n", side)
    assert code == 10 and result["checked"] == ["model", "board"]
    assert is_closed_tour(result["board"])
    assert result["rounds"] >= 1 and result["instead"] == ""


@pytest.mark.parametrize("seed", [1, 2])
def test_a_seed_is_another_search(seed: int) -> None:
    code, result = solved("tour", *HERE_AND_NOW, "-n", 10, "--seed", seed)
    assert code == 10 and is_closed_tour(result["board"])
    _, again = solved("tour", *HERE_AND_NOW, "-n", 10, "--seed", seed)
    _, other = solved("tour", *HERE_AND_NOW, "-n", 10, "--seed", seed + 2)
    assert again["board"] == result["board"] != other["board"]


@pytest.mark.parametrize("start", [0, 12])
def test_open_tours(start: int) -> None:
    words = ("-n", 5, "--set", "closed=false", "--set", f"start={start}")
    code, result = solved("tour", *HERE_AND_NOW, *words)
    assert code == 10 and result["checked"] == ["model", "board"]
    assert result["board"][start // 5][start % 5] == 1


@pytest.mark.parametrize(
    ("rows", "cols", "closed"),
    [
        *((3, 3, True), (5, 5, True), (7, 7, True), (3, 7, True), (4, 4, False), (3, 5, False)),
        *((4, 4, True), (4, 7, True), (4, 10, True), (3, 8, True), (3, 6, False)),
    ],
)
def test_boards_without_a_tour(rows: int, cols: int, closed: bool) -> None:
    words = (*board(rows, cols), "--set", f"closed={str(closed).lower()}")
    code, result = solved("tour", *HERE_AND_NOW, *words)
    assert code == 20 and result["instead"] == ""


@pytest.mark.parametrize("start", [1, 7])
def test_a_start_of_the_wrong_colour(start: int) -> None:
    words = ("-n", 5, "--set", "closed=false", "--set", f"start={start}")
    code, result = solved("tour", *HERE_AND_NOW, *words)
    assert (code, result["rounds"], result["cuts"]) == (20, 1, 0)


def test_colours_refute_at_once() -> None:
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
def test_all_boards_are_found_and_no_more() -> None:
    said = boardsat("solve", "tour", "--enc", "cuts", *board(5, 6), "--models", 10, *HERE, "--json")
    results = json.loads(said.out)
    assert [r["status"] for r in results] == ["SATISFIABLE"] * 8 + ["UNSATISFIABLE"]
    assert len({json.dumps(r["board"]) for r in results[:-1]}) == 8


@pytest.mark.parametrize("where", RUNTIMES)
def test_round_by_round(where: str) -> None:
    need(solvers.load("cadical"), where)
    code, result = solved("tour", "--enc", "cuts", *board(5, 6), "--runtime", where)
    assert code == 10 and is_closed_tour(result["board"])
    code, result = solved("tour", "--enc", "cuts", *board(3, 8), "--runtime", where)
    assert code == 20 and result["rounds"] > 1 and result["cuts"] > 0
    assert result["checked"] == [f"cuts ({result['cuts']})"] and result["unchecked"] == ["proof"]


def test_a_solver_without_increments_is_asked_again(tmp_path: Path) -> None:
    """Kissat or any other: a file that somebody else describes."""
    path = tmp_path / "plain.yaml"
    path.write_text(
        "title: for a test\ndialect: competition\ncan: decide\npackage: python-sat\n"
        'embedded: "pysat glucose4 {{ file }}"\n'
    )
    words = ("tour", "--enc", "cuts", *board(3, 8), "--solver", path, "--runtime", "embedded")
    code, result = solved(*words)
    assert code == 20 and result["rounds"] > 1


def test_a_model_that_nobody_shows_is_none() -> None:
    """That the formula alone has a model says nothing of the problem."""
    said = Answer(
        Status.SATISFIABLE, "", None, None, End.FINISHED, 10, Usage(0.0), "x", "", "native", ()
    )
    found = lazy._without_model(said)
    assert found.status is Status.UNKNOWN and "no model" in found.reason


@outside
def test_the_proof_is_of_the_formula_with_its_cuts(tmp_path: Path) -> None:
    need_checked_proofs()
    code, result = solved("tour", "--enc", "cuts", *board(3, 8), "--proof")
    assert code == 20 and result["cuts"] > 0
    assert result["checked"] == ["proof", f"cuts ({result['cuts']})"] and result["unchecked"] == []


# Shuffled files.


@pytest.mark.parametrize("where", HERE_OR_THERE)
@pytest.mark.parametrize("change", [[], ["--three-cnf"], ["--propagate"]], ids=str)
def test_shuffled_files(change: list[str], where: str, tmp_path: Path) -> None:
    need(solvers.load("cadical"), where)
    file = tmp_path / "x.cnf"
    boardsat("cnf", "tour", "--enc", "cuts", "-n", 8, "--shuffle", 5, *change, "-o", file)
    code, result = solved(file, "--runtime", where)
    assert code == 10 and is_closed_tour(result["board"])


def test_the_solver_gets_the_order_of_the_board(tmp_path: Path) -> None:
    plain = open_problem(instance(tmp_path, "tour/cuts", n=6))
    assert order_of(plain.header, plain.variables) is None
    path = str(tmp_path / "shuffled.cnf")
    write(transform(build(find("tour/cuts"), {"n": 6}), shuffle=3), path)
    problem = open_problem(path)
    order = order_of(problem.header, problem.variables)
    assert order is not None and sorted(order) == list(range(1, problem.variables + 1))
    assert (order == problem.header.variables["E"].ids).all()


# When the rounds do not suffice.


@pytest.mark.parametrize("petals", [5, *(pytest.param(k, marks=pytest.mark.slow) for k in (7, 9))])
def test_flower_snarks_go_to_another_encoding(petals: int, tmp_path: Path) -> None:
    path = graph_file(tmp_path, flower(petals))
    words = ("--set", f"graph={path}", "--set", "rounds=2")
    code, result = solved("hamilton", *HERE_AND_NOW, *words)
    assert (code, result["rounds"], result["instead"]) == (20, 2, "hamilton/uve")
    said = boardsat("solve", "hamilton", *HERE_AND_NOW, *words)
    assert "\nafter 2 rounds of cuts: hamilton/uve\n" in said.out


@pytest.mark.slow
@pytest.mark.parametrize("petals", [5, 7, 9, 11])
def test_flower_snarks_with_the_usual_rounds(petals: int, tmp_path: Path) -> None:
    path = graph_file(tmp_path, flower(petals))
    code, _ = solved("hamilton", *HERE_AND_NOW, "--set", f"graph={path}")
    assert code == 20


@pytest.mark.parametrize("where", HERE_OR_THERE)
@pytest.mark.parametrize(("side", "closed"), [(6, True), (5, False)])
def test_a_tour_of_the_other_encoding_is_a_model(
    side: int, closed: bool, where: str, tmp_path: Path
) -> None:
    need(solvers.load("cadical"), where)
    settings = {"n": side, "closed": closed, "rounds": 1}
    file = instance(tmp_path, "tour/cuts", **settings)
    target = tmp_path / "saved.cnf"
    found = []
    # Whichever needs more than a round.
    for seed in range(20):
        code, result = solved(file, "--runtime", where, "--seed", seed, "-o", target)
        assert code == 10 and result["checked"] == ["model", "board"]
        found.append(result["instead"])
        if result["instead"]:
            break
    assert found[-1] == "tour/uve"
    saved = open_problem(str(target))
    assert saved.header.about["spec"] == "tour/cuts"
    assert saved.clauses == open_problem(file).clauses + result["cuts"]


def test_petersen_and_its_paths() -> None:
    petersen = f"graph={GRAPHS / 'petersen.col'}"
    code, result = solved("hamilton", *HERE_AND_NOW, "--set", petersen)
    assert code == 20
    code, result = solved("hamilton", *HERE_AND_NOW, "--set", petersen, "--set", "closed=false")
    assert code == 10 and result["checked"] == ["model", "board"]
    code, result = solved("hamilton", *HERE_AND_NOW, "--set", petersen, "--set", "rounds=1")
    assert (code, result["instead"]) == (20, "hamilton/uve")


@pytest.mark.parametrize("where", HERE_OR_THERE)
def test_clauses_that_somebody_added_are_not_lost(where: str, tmp_path: Path) -> None:
    """Another encoding does not have them, so it is not taken."""
    need(solvers.load("cadical"), where)
    file = Path(instance(tmp_path, "tour/cuts", rows=3, cols=8, rounds=1))
    lines = file.read_text().splitlines()
    (head,) = [k for k, line in enumerate(lines) if line.startswith("p cnf ")]
    variables, clauses = map(int, lines[head].split()[2:])
    lines[head] = f"p cnf {variables} {clauses + 1}"
    file.write_text("\n".join([*lines, f"1 {variables} 0", ""]))
    code, result = solved(file, "--runtime", where)
    assert (code, result["instead"]) == (0, "")
    assert result["reason"] == "not decided within the rounds of cuts (1)"


def test_a_spec_from_elsewhere_has_no_other_encoding(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("title: mine\nlike: tour/cuts\n")
    code, result = solved(path, *board(3, 8), "--set", "rounds=1", "--runtime", "embedded")
    assert (code, result["status"], result["instead"]) == (0, "UNKNOWN", "")


@pytest.mark.parametrize("name", LAZY)
def test_the_other_encoding_is_there_and_says_all(name: str) -> None:
    problem = name.partition("/")[0]
    for constraint in find(name).constraints:
        for otherwise in constraint.texts.get("otherwise", ()):
            assert otherwise.text in encodings_of(problem)
            assert not is_lazy(f"{problem}/{otherwise.text}")


@pytest.mark.parametrize(
    "settings",
    [
        {"n": "7"},
        {"rows": "5", "n": "6", "closed": "false", "start": "3"},
        {"shape": "hexagon", "n": "3"},
        {"shape": "box", "layers": "2", "rows": "3", "cols": "4", "moves": "knight+wazir"},
        {"n": "5", "holes": "0,24", "start": "1"},
    ],
    ids=str,
)
def test_settings_from_a_header(settings: dict[str, str]) -> None:
    """What a file says of its parameters gives the same board in another encoding."""
    told = build(find("tour/cuts"), settings).header
    other = find("tour/uve")
    assert settings_for(other, told.parameters) == settings
    again = build(other, settings_for(other, told.parameters)).header
    assert again.board == told.board


def test_numbers_are_settings_too() -> None:
    givens = "1.3...2........4"
    told = build(find("latin/direct"), {"n": "4", "givens": givens}).header.parameters
    chosen = settings_for(find("latin/minimal"), told)
    assert build(find("latin/minimal"), chosen).header.parameters["givens"] == told["givens"]
    assert chosen["n"] == "4"


# Limits.


def test_all_rounds_are_under_the_limits_of_one() -> None:
    used = [Usage(1.0, 0.5, 100), Usage(2.0, 1.0, 50)]
    assert lazy.together(used) == Usage(3.0, 1.5, 100)
    assert lazy.together([*used, Usage(1.0)]) == Usage(4.0, None, None)
    assert lazy.left_of(Limits(10, 4, 9), used) == Limits(7.0, 2.5, 9)
    assert lazy.left_of(Limits(2, 1), used) == Limits(lazy.LEAST_SECONDS, lazy.LEAST_SECONDS)
    assert lazy.left_of(Limits(), used) == Limits()
    assert lazy.used_up(Limits(wall=3), used) is End.TIME
    assert lazy.used_up(Limits(wall=4, cpu=1.5), used) is End.CPU
    assert lazy.used_up(Limits(wall=4, cpu=2), used) is None is lazy.used_up(Limits(), used)


@pytest.mark.parametrize("where", HERE_OR_THERE)
def test_a_limit_ends_it(where: str) -> None:
    need(solvers.load("cadical"), where)
    words = ("tour", "--enc", "cuts", "-n", 100, "--runtime", where, "--timeout", 0.05)
    code, result = solved(*words)
    assert (code, result["status"], result["end"]) == (0, "UNKNOWN", "time limit")
    assert result["instead"] == ""


# The file in the end.


def test_the_saved_file_has_the_cuts(tmp_path: Path) -> None:
    target = tmp_path / "saved.cnf"
    code, result = solved("tour", *HERE_AND_NOW, *board(3, 8), "-o", target)
    assert code == 20 and result["cuts"] > 0
    plain = clauses_of(shipped("tour/cuts", rows=3, cols=8))
    saved = clauses_in(str(target))
    assert saved[: len(plain)] == plain and len(saved) == len(plain) + result["cuts"]
    assert validate(str(target)).notes == ()
    # It is refuted by any solver that knows nothing of cuts.
    with Solver("glucose4", bootstrap_with=saved) as solver:
        assert not solver.solve()
    with Solver("glucose4", bootstrap_with=plain) as solver:
        assert solver.solve()
    # Solved again it needs no more of them, and it still is what it was.
    code, again = solved(target, "--runtime", "embedded")
    assert (code, again["rounds"], again["cuts"]) == (20, 1, 0)
    header = open_problem(str(target)).header
    assert header.about["spec"] == "tour/cuts"
    assert read_lazy(header).clauses == len(saved)
    notes = [json.loads(line[12:]) for line in target.read_text().splitlines() if "c tra" in line]
    assert notes == [{"transform": "cuts", "clauses": result["cuts"]}]


@outside
@pytest.mark.parametrize("where", ["docker", "native"])
@pytest.mark.parametrize("name", ["cadical", pytest.param("kissat", marks=pytest.mark.slow)])
def test_real_solvers_take_the_saved_file(name: str, where: str, tmp_path: Path) -> None:
    solver = solvers.load(name)
    need(solver, where)
    target = tmp_path / "saved.cnf"
    assert solved("tour", *HERE_AND_NOW, *board(3, 8), "-o", target)[0] == 20
    request = SolveRequest(name, where)
    assert ask(open_problem(str(target)), request).status is Status.UNSATISFIABLE


def test_a_tour_is_a_model_of_the_saved_file(tmp_path: Path) -> None:
    target = tmp_path / "saved.cnf.gz"
    file = instance(tmp_path, "tour/cuts", n=6)
    code, result = solved(file, "--runtime", "embedded", "-o", target)
    assert code == 10 and result["cuts"] > 0
    assert open_problem(str(target)).clauses == open_problem(file).clauses + result["cuts"]
    code, result = solved(target, "--runtime", "embedded")
    assert code == 10 and is_closed_tour(result["board"])


def test_what_is_not_lazy_is_saved_as_it_is(tmp_path: Path) -> None:
    target, plain = tmp_path / "saved.cnf", tmp_path / "plain.cnf"
    boardsat("cnf", "queens", "-n", 6, "-o", plain)
    assert solved("queens", "-n", 6, *HERE, "-o", target)[0] == 10
    assert target.read_bytes() == plain.read_bytes()


def test_nothing_is_half_written(tmp_path: Path) -> None:
    said = boardsat("solve", "tour", *HERE_AND_NOW, "-n", 6, "-o", tmp_path / "no" / "x.cnf")
    assert said.code == 2 and "the target's folder does not exist" in said.one_line()
    old = tmp_path / "old.cnf"
    old.write_text("old")
    said = boardsat("solve", "tour", *HERE_AND_NOW, "-n", 6, "-o", old, "--models", 2)
    assert said.code == 2 and "-o writes the formula of one board" in said.one_line()
    said = boardsat("solve", "tour", "-n", 8, "--solver", "warnsdorff", "-o", old)
    assert said.code == 2 and "decides no formula" in said.one_line()
    assert old.read_text() == "old" and list(tmp_path.iterdir()) == [old]


# What must not take the formula for the problem.


@pytest.fixture
def circles(tmp_path: Path) -> tuple[str, Path]:
    """A file, and a model of it that is no tour."""
    file = instance(tmp_path, "tour/cuts", n=6)
    problem = open_problem(file)
    (graph,) = read_lazy(problem.header).graphs
    with Solver("minisat22", bootstrap_with=clauses_in(file)) as solver:
        while solver.solve():
            model = solver.get_model()
            if len(set(parts(graph, {x for x in model if x > 0}))) > 1:
                break
            solver.add_clause([-x for x in model])
    answer = tmp_path / "answer"
    answer.write_text("s SATISFIABLE\nv " + " ".join(map(str, model)) + " 0\n")
    return file, answer


@pytest.mark.parametrize("command", ["check", "decode"])
def test_circles_are_no_tour(command: str, circles: tuple[str, Path]) -> None:
    said = boardsat(command, *circles)
    assert said.code == 1
    assert "the tour visits" in said.err and "its formula is lazy" in said.err


@pytest.mark.parametrize("command", ["count", "projection"])
def test_nothing_is_counted(command: str, tmp_path: Path) -> None:
    for words in (("tour", "--enc", "cuts", "-n", 6), (instance(tmp_path, "tour/cuts", n=6),)):
        said = boardsat(command, *words)
        assert said.code == 2
        assert said.one_line().endswith("so it cannot be counted; count tour/uve\n")


def test_nothing_is_archived(tmp_path: Path) -> None:
    campaign = tmp_path / "campaign.yaml"
    campaign.write_text(
        "title: a test\nsolvers: [cadical]\nruntime: embedded\n"
        "instances:\n  - problem: tour\n    encoding: cuts\n    set: {n: 6}\n"
    )
    said = boardsat("archive", "create", tmp_path / "made", campaign)
    assert said.code == 2 and "tour/cuts is lazy" in said.one_line()
    assert not list((tmp_path / "made").glob("*.cnf*"))


@pytest.mark.parametrize(
    ("encodings", "rows", "cols", "status"),
    [
        ("cuts", 5, 6, "SATISFIABLE"),
        pytest.param("cuts,uve", 5, 6, "SATISFIABLE", marks=pytest.mark.slow),
        pytest.param("cuts,uve", 3, 8, "UNSATISFIABLE", marks=pytest.mark.slow),
    ],
)
def test_validation_asks_the_problem(
    encodings: str, rows: int, cols: int, status: str, tmp_path: Path
) -> None:
    words = ("--enc", encodings, *board(rows, cols), "--solvers", "minisat", *HERE)
    results = ("--results", tmp_path / "results", "--json")
    said = boardsat("validate", "tour", *words, *results)
    told = json.loads(said.out)
    # MiniSat proves nothing, so that nobody has checked a refutation.
    assert told["verdict"] == ("agree" if status == "SATISFIABLE" else "undecided"), told
    runs = [run for run in told["runs"] if run["encoding"] == "cuts"]
    assert {run["task"] for run in runs} == {"decide"}
    for run in runs:
        assert run["status"] == (run["expected"] or status), run
    if status == "SATISFIABLE":
        assert {"a known board", "broken boards", "shuffled"} <= {run["variant"] for run in runs}


def test_a_cut_that_does_not_follow_is_told(tmp_path: Path) -> None:
    problem = open_problem(instance(tmp_path, "tour/cuts", n=6))
    said = Answer(
        Status.UNSATISFIABLE, "", None, None, End.FINISHED, 20, Usage(0.0), "x", "", "embedded", ()
    )
    (graph,) = read_lazy(problem.header).graphs
    corner = [variable for variable, u, v in graph.edges() if 0 in (u, v)]
    right = replace(said, cuts=(tuple(corner),))
    assert examine(problem, right, SolveRequest("x")).checked == ("cuts (1)",)
    wrong = replace(said, cuts=(tuple(corner), tuple(corner[:1])))
    with pytest.raises(WrongAnswerError, match="WRONG CUT"):
        examine(problem, wrong, SolveRequest("x"))


# Files from who knows where.

WRONG_LINES = [
    "",
    "{",
    "[]",
    "3",
    '{"connected": []}',
    '{"connected": [], "rounds": 5, "clauses": 3}',
    '{"connected": 3, "rounds": 5, "clauses": 3}',
    *(
        json.dumps(
            {
                "connected": [
                    {"variable": "E", "from": {"index": 0}, "to": {"index": 1}} | part,
                ],
                "rounds": 5,
                "clauses": 600,
            }
            | whole
        )
        for part, whole in [
            ({"variable": "F"}, {}),
            ({"variable": []}, {}),
            ({"from": {"index": 2}}, {}),
            ({"from": {"index": -1}}, {}),
            ({"to": {"vertex": "x"}}, {}),
            ({"to": {"vertex": 10**30}}, {}),
            ({"to": {}}, {}),
            ({"to": 1}, {}),
            ({}, {"rounds": 0}),
            ({}, {"rounds": True}),
            ({}, {"rounds": 10**20}),
            ({}, {"rounds": "100"}),
            ({}, {"clauses": None}),
            ({}, {"otherwise": "../../etc"}),
            ({}, {"otherwise": 3}),
        ]
    ),
    "[" * 100_000,
]


@pytest.mark.parametrize("line", WRONG_LINES, ids=lambda line: line[:90] or "nothing")
def test_a_wrong_line_is_told_in_one(line: str, tmp_path: Path) -> None:
    file = Path(instance(tmp_path, "tour/cuts", n=6))
    lines = file.read_text().splitlines()
    (place,) = [k for k, text in enumerate(lines) if text.startswith("c lazy ")]
    lines[place] = f"c lazy {line}"
    file.write_text("\n".join([*lines, ""]))
    for command in ("solve", "count"):
        said = boardsat(command, file)
        assert said.code == 2
        assert "its `c lazy` line is not one that boardsat writes" in said.one_line()


def test_members_beyond_the_formula_are_told(tmp_path: Path) -> None:
    file = Path(instance(tmp_path, "tour/cuts", n=6))
    file.write_text(file.read_text().replace('"E", "first": 1,', '"E", "first": 30,'))
    said = boardsat("solve", file)
    assert said.code == 2 and "'E' has a member that is not a variable" in said.one_line()


def test_an_unknown_encoding_instead_is_told(tmp_path: Path) -> None:
    file = Path(instance(tmp_path, "tour/cuts", rows=3, cols=8, rounds=1))
    text = file.read_text()
    for word, fault in [("nothing", "no encoding 'nothing'"), ("cuts", "cuts is lazy too")]:
        file.write_text(text.replace('"otherwise": "uve"', f'"otherwise": "{word}"'))
        said = boardsat("solve", file, "--runtime", "embedded")
        assert said.code == 2 and fault in said.one_line()


def test_the_word_is_free_in_files_of_others(tmp_path: Path) -> None:
    file = tmp_path / "x.cnf"
    file.write_text("c lazy afternoon\np cnf 2 1\n1 2 0\n")
    code, result = solved(file, *HERE)
    assert (code, result["rounds"]) == (10, 0)


@pytest.mark.parametrize("text", ["1 -2 0\n3 0\n", "1  -2 0\n3 0\n", "c x\n1 -2 0\nc y\n3 0\n"])
def test_the_worker_reads_what_is_one_clause_a_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "x.cnf"
    file.write_text("c p cnf\np cnf 3 2\n" + text)
    assert [c for block in incremental.clauses_of(str(file)) for c in block] == [[1, -2], [3]]
    file.write_text("p cnf 3 3\n0\n" + text)
    assert [c for block in incremental.clauses_of(str(file)) for c in block] == [[], [1, -2], [3]]


def test_the_worker_reads_large_files_in_blocks(tmp_path: Path) -> None:
    chance = random.Random(1)
    clauses = [
        [chance.choice((1, -1)) * chance.randint(1, 9**9) for _ in range(chance.randint(1, 9))]
        for _ in range(20_000)
    ]
    file = tmp_path / "x.cnf"
    lines = "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in clauses)
    file.write_text(f"p cnf {9**9} {len(clauses)}\n{lines}")
    blocks = list(incremental.clauses_of(str(file)))
    assert len(blocks) > 3
    assert [clause for block in blocks for clause in block] == clauses


def test_what_the_worker_says_is_read_back() -> None:
    said = DIALECTS["incremental"](3)
    for line in ("c cut 1 -3 0", "c cut 0", "c rounds 2", "s UNSATISFIABLE", "c anything"):
        said.feed(line)
    assert (said.cuts, said.rounds, said.status) == ([(1, -3), ()], 2, Status.UNSATISFIABLE)
    for line in ("c cut 4 0", "c cut 1 x 0", "c cut 1 2", "c cut 1 0 2 0"):
        with pytest.raises(AdapterError):
            said.feed(line)

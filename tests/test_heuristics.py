"""Heuristics on the board: what they find is a tour, what they refute has none, and they repeat."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from running import SOLVERS, Said, boardsat, instance
from support import mostly_slow

from boardsat.adapters import heuristics, solvers
from boardsat.adapters.answer import Answer, End, Status, Usage
from boardsat.adapters.boards import GraphBoard, Grid, board_of
from boardsat.adapters.counters.frontier import count_cycles, count_paths
from boardsat.adapters.decode import Solution, Tour
from boardsat.adapters.dialects import DIALECTS
from boardsat.adapters.errors import AdapterError, WrongAnswerError
from boardsat.adapters.heuristics import (
    NoTourError,
    Search,
    UnsuitableError,
    colours,
    links,
    neural,
    parberry,
    rotations,
    warnsdorff,
)
from boardsat.adapters.heuristics.neighbours import (
    Neighbours,
    Rectangle,
    neighbours_by_ends,
    neighbours_of,
)
from boardsat.generators import describe, find
from boardsat.generators.catalogue import encodings_of
from boardsat.problem import described, open_problem
from boardsat.solving.asking import SolveRequest
from boardsat.solving.boards_as_models import literals_of, model_of, ways
from boardsat.solving.checking import examine_board

Pairs = list[tuple[int, int]]

HEURISTICS = [solver for solver in SOLVERS if solver.dialect == "tour"]
METHODS = [solver.embedded_line(file="x", seed=0)[3:] for solver in HEURISTICS]
COMPLETE = ("backtracking",)
"""Those that find a tour wherever there is one, if they are given the time."""


def knights(rows: int, cols: int) -> Pairs:
    return [
        (row * cols + col, (row + down) * cols + col + right)
        for row in range(rows)
        for col in range(cols)
        for down, right in ((1, 2), (2, 1), (1, -2), (2, -1))
        if row + down < rows and 0 <= col + right < cols
    ]


def torus(rows: int, cols: int) -> Pairs:
    found = set()
    for cell in range(rows * cols):
        for down, right in ((1, 2), (2, 1), (1, -2), (2, -1)):
            row, col = (cell // cols + down) % rows, (cell % cols + right) % cols
            found.add((min(cell, row * cols + col), max(cell, row * cols + col)))
    return sorted(found)


PETERSEN = [
    *((v, (v + 1) % 5) for v in range(5)),
    *((v, v + 5) for v in range(5)),
    *((5 + v, 5 + (v + 2) % 5) for v in range(5)),
]


def assert_tour(order: Sequence[int], edges: Pairs, cells: int, start: int, closed: bool) -> None:
    joined = {pair for u, v in edges for pair in ((u, v), (v, u))}
    assert order[0] == start and sorted(order) == list(range(cells))
    assert all(step in joined for step in pairwise([*order, order[0]] if closed else order))


def searching(
    cells: int, edges: Pairs, start: int, closed: bool, seed: int = 0, on: Rectangle | None = None
) -> Search:
    u, v = np.array(edges).T
    return Search(neighbours_by_ends(cells, u, v), start, closed, Random(seed), on)


def tried(search: Search, method: tuple[str, ...]) -> Sequence[int] | bool | None:
    """A tour, False for none, None for unknown."""
    name, *choices = method
    try:
        colours.refute(search)
        return heuristics.heuristic(name).find(search, *choices)
    except NoTourError:
        return False
    except UnsuitableError:
        return None


@pytest.fixture
def _few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warnsdorff, "ATTEMPTS", 20)
    monkeypatch.setattr(neural, "TRIALS", 20)
    monkeypatch.setattr(neural, "UPDATES", 100)


SMALL = [(3, cols) for cols in range(4, 8)] + [(4, 4), (4, 5), (5, 5)]


@cache
def counted(rows: int, cols: int, start: int, closed: bool) -> int:
    cells, edges = rows * cols, knights(rows, cols)
    return count_cycles(cells, edges) if closed else count_paths(cells, edges, start)


@pytest.mark.usefixtures("_few_trials")
@pytest.mark.parametrize("method", METHODS, ids=" ".join)
@pytest.mark.parametrize(("rows", "cols"), mostly_slow(SMALL, [(3, 4), (4, 5)]))
def test_small_boards_against_a_count(rows: int, cols: int, method: tuple[str, ...]) -> None:
    """Never a wrong tour, never a refutation of what there is: counted by the frontier method."""
    cells, edges = rows * cols, knights(rows, cols)
    starts = range(cells) if cells == 12 else (0, 1, 2, cells // 2)
    for start, closed in [(0, True), *((start, False) for start in starts)]:
        tours = counted(rows, cols, start, closed)
        search = searching(cells, edges, start, closed, on=Rectangle(rows, cols))
        found = tried(search, method)
        if found is False:
            assert tours == 0
        elif found is None:
            assert method[0] not in COMPLETE
        else:
            assert tours > 0
            assert_tour(found, edges, cells, start, closed)


def test_the_rules_find_what_there_is_on_five_by_five() -> None:
    """304 tours from a corner, and from each of the 13 squares of its colour there are some."""
    edges = knights(5, 5)
    for ties in warnsdorff.TIES:
        for start in range(0, 25, 2):
            found = warnsdorff.find(searching(25, edges, start, False), ties)
            assert found is not None
            assert_tour(found, edges, 25, start, False)


@pytest.mark.parametrize("ties", warnsdorff.TIES)
@pytest.mark.parametrize(("rows", "cols"), [(3, 10), (5, 6), (6, 6), (8, 8), (7, 20), (30, 30)])
def test_closed_tours_by_rotations(rows: int, cols: int, ties: str) -> None:
    edges = knights(rows, cols)
    for seed in range(3):
        start = seed * 5
        search = searching(rows * cols, edges, start, True, seed, Rectangle(rows, cols))
        found = warnsdorff.find(search, ties)
        assert found is not None
        assert_tour(found, edges, rows * cols, start, True)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("ties", warnsdorff.TIES)
def test_a_torus_and_a_graph(ties: str, closed: bool) -> None:
    edges = torus(5, 7)
    found = warnsdorff.find(searching(35, edges, 3, closed), ties)
    assert found is not None
    assert_tour(found, edges, 35, 3, closed)


@pytest.mark.usefixtures("_few_trials")
@pytest.mark.parametrize("method", METHODS, ids=" ".join)
def test_the_petersen_graph_has_paths_and_no_cycle(method: tuple[str, ...]) -> None:
    path = tried(searching(10, PETERSEN, 4, False), method)
    if method[0] == "parberry":
        assert path is None
    else:
        assert path
        assert_tour(path, PETERSEN, 10, 4, False)
    cycle = tried(searching(10, PETERSEN, 4, True), method)
    assert cycle is (False if method[0] in COMPLETE else None)


@pytest.mark.parametrize("side", range(6, 41, 2))
def test_parberry_on_every_even_square(side: int) -> None:
    for cols in (side, side + 2):
        search = searching(
            side * cols, knights(side, cols), side, True, side, Rectangle(side, cols)
        )
        assert_tour(parberry.find(search), knights(side, cols), side * cols, side, True)


@pytest.mark.parametrize(("rows", "cols"), [(6, 7), (7, 6), (6, 40), (41, 8), (13, 24), (22, 37)])
def test_parberry_on_other_rectangles(rows: int, cols: int) -> None:
    search = searching(rows * cols, knights(rows, cols), 1, True, 3, Rectangle(rows, cols))
    assert_tour(parberry.find(search), knights(rows, cols), rows * cols, 1, True)


@pytest.mark.parametrize(
    ("rows", "cols"),
    [(rows, cols) for rows in range(6, 12) for cols in range(6, 12) if rows * cols % 2 == 0],
)
def test_every_small_board_of_parberry_has_its_tour(rows: int, cols: int) -> None:
    for seed in range(5):
        tour = parberry._small_tour(rows, cols, Random(seed))
        assert_tour(tour, knights(rows, cols), rows * cols, 0, True)
        lower, upper = (rows - 1) * cols, cols - 1
        moves = {frozenset(move) for move in pairwise([*tour, tour[0]])}
        assert {lower - cols, lower + 2} in moves and {upper + cols, upper - 2} in moves
        assert {lower - 3 * cols, lower - cols + 1} in moves
        assert {upper - 3, upper + cols - 1} in moves


@pytest.mark.parametrize(
    "side", mostly_slow([112, 113, 114, 115, 116, 117, 118, 119, 125], [112, 117])
)
def test_the_orderings_of_squirrel_and_cull_never_fail_from_112_on(side: int) -> None:
    search = heuristics.search_on(Grid(side, side, frozenset([(1, 2)])), 0, False, 0)
    stages = warnsdorff.TIES["squirrel-cull"](search, 0)
    assert len(stages) > 3
    path = warnsdorff.walk_from_start(search, search.neighbours.lists(), stages)
    assert_tour(path, knights(side, side), side * side, 0, False)


def test_the_network_settles_into_circuits() -> None:
    neighbours = Rectangle(8, 8).neighbours()
    settled = [each for seed in range(20) if (each := neural.settle(neighbours, Random(seed)))]
    assert len(settled) > 10
    joined = {pair for u, v in knights(8, 8) for pair in ((u, v), (v, u))}
    for each in settled:
        circuits = each.circuits()
        assert sorted(cell for circuit in circuits for cell in circuit) == list(range(64))
        for circuit in circuits:
            assert all(step in joined for step in pairwise([*circuit, circuit[0]]))


def test_patching_joins_circuits_that_run_side_by_side() -> None:
    ladder = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3), (1, 4)]
    u, v = np.array(ladder).T
    two = links.Circuits([[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]])
    assert neural.patch(two, neighbours_by_ends(6, u, v))
    assert_tour(two.circuit(0), ladder, 6, 0, True)
    apart = links.Circuits([[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]])
    assert not neural.patch(apart, neighbours_by_ends(6, u[:-1], v[:-1]))


@pytest.mark.parametrize(
    ("rows", "cols", "start", "closed", "refuted"),
    [
        (7, 7, 0, True, True),
        (7, 7, 0, False, False),
        (7, 7, 1, False, True),
        (6, 6, 1, False, False),
        (3, 3, 0, False, True),
    ],
)
def test_the_colouring_rule(rows: int, cols: int, start: int, closed: bool, refuted: bool) -> None:
    search = searching(rows * cols, knights(rows, cols), start, closed)
    if refuted:
        with pytest.raises(NoTourError):
            colours.refute(search)
    else:
        colours.refute(search)


def test_a_board_of_one_colour_is_not_refuted_by_colours() -> None:
    colours.refute(searching(25, torus(5, 5), 0, True))


def test_a_rotation_gives_a_path_of_the_same_cells() -> None:
    neighbours = Rectangle(6, 6).neighbours()
    search = Search(neighbours, 0, False, Random(1))
    stages = warnsdorff.TIES["random"](search, 0)
    cells = warnsdorff.walk_from_start(search, neighbours.lists(), stages)
    path = rotations.Path(neighbours, cells)
    joined = {pair for u, v in knights(6, 6) for pair in ((u, v), (v, u))}
    for place in path.turns().tolist():
        turned = rotations.Path(neighbours, cells)
        turned.turn(place)
        order = turned.order.tolist()
        assert sorted(order) == sorted(cells) and order != cells
        assert all(step in joined for step in pairwise(order))


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 9), (3, 3), (5, 8), (8, 2)])
def test_the_table_of_neighbours(rows: int, cols: int) -> None:
    expected: list[set[int]] = [set() for _ in range(rows * cols)]
    for u, v in knights(rows, cols):
        expected[u].add(v)
        expected[v].add(u)
    grid = Grid(rows, cols, frozenset([(1, 2)]))
    graph = GraphBoard(rows * cols, 0, frozenset(knights(rows, cols)))
    for table in (neighbours_of(grid), neighbours_of(graph)):
        assert isinstance(table, Neighbours)
        assert table.lists() == [sorted(cells) for cells in expected]
        assert sorted(zip(*(end.tolist() for end in table.edges()), strict=True)) == sorted(
            (min(pair), max(pair)) for pair in knights(rows, cols)
        )


# As solvers of the command line.


def solved(*words: object) -> Said:
    return boardsat("solve", *words)


def seeded(name: str) -> tuple[object, ...]:
    """A command to solve by a heuristic, always in the same way."""
    seed = ("--seed", 3) if solvers.load(name).takes_seed("embedded") else ()
    return ("tour", "-n", 6, "--solver", name, *seed, "--json")


NAMES = [solver.name for solver in HEURISTICS]


@pytest.mark.parametrize("name", NAMES)
def test_every_heuristic_is_a_solver_like_any_other(name: str, tmp_path: Path) -> None:
    picture = tmp_path / "tour.svg"
    first = solved(*seeded(name), "--svg", picture)
    assert first.code == 10 and first.err == ""
    told = json.loads(first.out)
    assert told["checked"] == ["board"] and told["unchecked"] == []
    place = {number: cell for cell, number in enumerate(chain(*told["board"]), 1)}
    order = [place[number] - 1 for number in range(1, 37)]
    assert_tour(order, knights(6, 6), 36, 0, True)
    assert picture.read_text().startswith("<svg")


@pytest.mark.parametrize("name", mostly_slow(NAMES, ["warnsdorff"]))
def test_a_seed_gives_the_same_tour_again(name: str) -> None:
    first, again = (json.loads(solved(*seeded(name)).out)["board"] for _ in range(2))
    assert first == again


def test_seeds_give_different_tours() -> None:
    words = ("tour", "-n", 6, "--solver", "warnsdorff", "--json", "--seed")
    boards = [json.loads(solved(*words, seed).out)["board"] for seed in range(4)]
    assert len({str(board) for board in boards}) > 1


def test_a_large_board_needs_no_formula() -> None:
    said = solved("tour", "-n", 100, "--set", "closed=false", "--solver", "warnsdorff-pohl")
    assert said.code == 10 and said.out.endswith("checked: board\n")


def test_a_file_tells_its_board(tmp_path: Path) -> None:
    path = instance(tmp_path, "tour/binary", ".cnf.gz", rows=5, cols=6, start=7)
    told = json.loads(solved(path, "--solver", "warnsdorff", "--json").out)
    assert told["status"] == "SATISFIABLE" and told["board"][1][1] == 1


def test_a_graph_file(tmp_path: Path) -> None:
    file = tmp_path / "petersen.txt"
    file.write_text("".join(f"{u + 1} {v + 1}\n" for u, v in PETERSEN))
    words = ("hamilton", "--set", f"graph={file}", "--solver")
    assert solved(*words, "warnsdorff", "--set", "closed=false").code == 10
    refuted = solved(*words, "backtracking")
    assert refuted.code == 20 and "every way from the start was tried" in refuted.out
    unsuited = solved(*words, "parberry")
    assert unsuited.code == 0 and "UNKNOWN (Parberry's method is for a knight" in unsuited.out


def test_an_odd_board_is_refuted_by_its_colours() -> None:
    said = solved("tour", "-n", 7, "--solver", "warnsdorff")
    assert said.code == 20
    assert "25 and 24 cells of the two colours" in said.out
    assert "NOT checked: proof" in said.out


def test_a_time_limit_ends_in_unknown() -> None:
    words = ("tour", "-n", 20, "--solver", "backtracking", "--timeout", 1)
    said = solved(*words)
    assert said.code == 0 and said.out.startswith("UNKNOWN (time limit)")


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("queens", "-n", 6), "warnsdorff is for hamilton and tour, not for queens"),
        (("tour", "-n", 6, "--models", 2), "warnsdorff finds one board at a time"),
        (("tour", "-n", 6, "--proof"), "warnsdorff (embedded) writes no proofs"),
        (("tour", "-n", 6, "--shuffle", 1), "--shuffle: warnsdorff reads no formula"),
        (("tour", "-n", 6, "--three-cnf"), "--three-cnf: warnsdorff reads no formula"),
        (("tour", "-n", 6, "--runtime", "docker"), "warnsdorff cannot run here"),
        (("tour", "-n", 6, "--set", "start=36"), "start = 36 is not on the board"),
        (("tour", "--enc", "nothing"), "no encoding 'nothing' of 'tour'"),
        (("turo",), "no problem 'turo'"),
    ],
)
def test_bad_input_is_one_line(words: tuple[object, ...], fault: str) -> None:
    said = solved(*words, "--solver", "warnsdorff")
    assert said.code == 2 and fault in said.one_line()


def test_a_file_without_a_board_is_bad_input(tmp_path: Path) -> None:
    file = tmp_path / "plain.cnf"
    file.write_text("p cnf 1 1\n1 0\n")
    said = solved(file, "--solver", "warnsdorff")
    assert said.code == 2 and "warnsdorff is for hamilton and tour, not for this" in said.one_line()


def test_a_description_is_the_comments_of_the_file(tmp_path: Path) -> None:
    settings = {"rows": 5, "cols": 6, "closed": False}
    opened = open_problem(instance(tmp_path, "tour/unary", **settings))
    told = described(describe(find("tour", "unary"), settings))
    assert told.comments[1:] == opened.comments[1 : len(told.comments)]
    of_formula = {"named", "keeps_counts"}
    about = {k: v for k, v in opened.header.about.items() if k not in of_formula}
    assert told.header.about == about


# What a solver prints.


def said(text: str, cells: int = 3) -> tuple[int, ...] | None:
    dialect = DIALECTS["tour"](cells)
    for line in text.splitlines():
        dialect.feed(line)
    return dialect.tour()


def test_a_tour_is_read_from_its_lines() -> None:
    assert said("s SATISFIABLE\nv 2 1\nv 3 0\n") == (1, 0, 2)
    assert said("s SATISFIABLE\nv 2 1 3\nv 0\n") == (1, 0, 2)


@pytest.mark.parametrize(
    "lines",
    ["v 1 2", "v 1 4 0", "v 1 0 2", "v 1 0\nv 2 0", "v -1 0", "v x 0", "v 1 2 3 1\nv 2 3\nv 0"],
)
def test_a_bad_tour_is_refused(lines: str) -> None:
    with pytest.raises(AdapterError):
        said(f"s SATISFIABLE\n{lines}\n")


def test_a_wrong_tour_is_an_alarm() -> None:
    board = described(describe(find("tour", "unary"), {"n": 3, "closed": False}))
    answer = Answer(
        Status.SATISFIABLE, "", None, None, End.FINISHED, 10, Usage(0.1), "liar", "", "", (),
        tour=tuple(range(9)),
    )  # fmt: skip
    grid = Grid(3, 3, frozenset([(1, 2)]))
    with pytest.raises(WrongAnswerError, match="WRONG BOARD from liar: there is no move"):
        examine_board(board, grid, answer)


# Evidence for the encodings.

REQUEST = SolveRequest("cadical", "embedded")
BOARDS = {
    "5x6 closed": {"rows": 5, "cols": 6},
    "6x6 closed": {"n": 6},
    "6x6 one way": {"n": 6, "one_direction": True},
    "5x5 open": {"n": 5, "closed": False},
}


@pytest.mark.parametrize("encoding", mostly_slow(encodings_of("tour"), ["binary", "cuts"]))
@pytest.mark.parametrize("board", mostly_slow(BOARDS, ["5x6 closed"]))
def test_a_tour_is_a_model_of_every_encoding(board: str, encoding: str, tmp_path: Path) -> None:
    known = {parameter.name for parameter in find("tour", encoding).parameters}
    settings = {name: value for name, value in BOARDS[board].items() if name in known}
    problem = open_problem(instance(tmp_path, f"tour/{encoding}", **settings))
    rows, cols = problem.header.parameters["rows"], problem.header.parameters["cols"]
    closed = bool(problem.header.parameters["closed"])
    board_shown = board_of(problem.header)
    assert board_shown is not None
    search = searching(rows * cols, knights(rows, cols), 0, closed, 1)
    for ties in warnsdorff.TIES:
        tour = warnsdorff.find(search, ties)
        assert tour is not None
        solution = Solution(board_shown, Tour(tuple(tour)))
        model = model_of(problem, solution, REQUEST)
        assert model is not None
        tried = [literals_of(problem, way) for way in ways(problem.header, solution)]
        assert any(literals and set(literals) <= true_of(model) for literals in tried)
    # Two squares exchanged make no tour, and so no model.
    wrong = [*tour[:3], tour[4], tour[3], *tour[5:]]
    assert model_of(problem, Solution(board_shown, Tour(tuple(wrong))), REQUEST) is None


def true_of(model: np.ndarray) -> set[int]:
    return {int(value) * number for number, value in enumerate(model.tolist()) if number}

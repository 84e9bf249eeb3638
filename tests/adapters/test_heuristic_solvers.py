"""Heuristics as solvers of the command line."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from helpers.formulas import mostly_slow
from helpers.heuristics import HEURISTICS, PETERSEN, assert_tour, knight_edges, search_for
from helpers.solver_runs import CommandOutput, boardsat, instance

from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer, SolverRun, Status, TerminationReason, Usage
from boardsat.adapters.boards import Grid, board_of
from boardsat.adapters.heuristics import (
    warnsdorff,
)
from boardsat.adapters.solvers.output_parsers import PARSERS
from boardsat.adapters.views.solution import Solution, Tour
from boardsat.base.errors import BoardsatError, WrongAnswerError
from boardsat.generators import describe, find
from boardsat.generators.spec.catalogue import encodings_of
from boardsat.instance.formula_file import instance_from_comments, open_formula
from boardsat.workflows.solve.board_models import board_literals, member_lists
from boardsat.workflows.solve.checks import check_board_answer
from boardsat.workflows.solve.lazy_formulas import find_model
from boardsat.workflows.solve.request import SolveRequest

# As solvers of the command line.


def solved(*words: object) -> CommandOutput:
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
    assert_tour(order, knight_edges(6, 6), 36, 0, True)
    assert picture.read_text().startswith("<svg")


@pytest.mark.parametrize("name", mostly_slow(NAMES, ["warnsdorff"]))
def test_a_seed_gives_the_same_tour_again(name: str) -> None:
    first, again = (json.loads(solved(*seeded(name)).out)["board"] for _ in range(2))
    assert first == again


def test_seeds_give_different_tours() -> None:
    words = ("tour", "-n", 6, "--solver", "warnsdorff", "--json", "--seed")
    boards = [json.loads(solved(*words, seed).out)["board"] for seed in (1, 2)]
    assert boards[0] != boards[1]


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
    assert refuted.code == 20 and "an exhaustive search from the start found no tour" in refuted.out
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
        (("queens", "-n", 6), "warnsdorff solves only hamilton and tour, not queens"),
        (("tour", "-n", 6, "--models", 2), "warnsdorff finds one board at a time"),
        (
            ("tour", "-n", 6, "--proof"),
            "warnsdorff does not write proofs about formulas; choose cadical",
        ),
        (("tour", "-n", 6, "--shuffle", 1), "--shuffle: warnsdorff does not read a formula"),
        (("tour", "-n", 6, "--three-cnf"), "--three-cnf: warnsdorff does not read a formula"),
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
    assert said.code == 2 and "only hamilton and tour, not this problem" in said.one_line()


def test_a_description_is_the_comments_of_the_file(tmp_path: Path) -> None:
    settings = {"rows": 5, "cols": 6, "closed": False}
    opened = open_formula(instance(tmp_path, "tour/unary", **settings))
    told = instance_from_comments(describe(find("tour", "unary"), settings))
    assert told.comments[1:] == opened.comments[1 : len(told.comments)]
    of_formula = {"spec_variables", "count_preserving"}
    about = {k: v for k, v in opened.header.metadata.items() if k not in of_formula}
    assert told.header.metadata == about


# What a solver prints.


def said(text: str, cells: int = 3) -> tuple[int, ...] | None:
    dialect = PARSERS["tour"](cells)
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
    with pytest.raises(BoardsatError):
        said(f"s SATISFIABLE\n{lines}\n")


def test_a_wrong_tour_is_an_alarm() -> None:
    board = instance_from_comments(describe(find("tour", "unary"), {"n": 3, "closed": False}))
    answer = Answer(
        Status.SATISFIABLE,
        "",
        SolverRun("liar", "", "", TerminationReason.FINISHED, 10, Usage(0.1)),
        tour=tuple(range(9)),
    )
    grid = Grid(3, 3, frozenset([(1, 2)]))
    with pytest.raises(WrongAnswerError, match="WRONG BOARD from liar: there is no move"):
        check_board_answer(board, grid, answer)


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
    problem = open_formula(instance(tmp_path, f"tour/{encoding}", **settings))
    rows, cols = problem.header.parameters["rows"], problem.header.parameters["cols"]
    closed = bool(problem.header.parameters["closed"])
    board_shown = board_of(problem.header)
    assert board_shown is not None
    search = search_for(rows * cols, knight_edges(rows, cols), 0, closed, 1)
    for ties in warnsdorff.TIES:
        tour = warnsdorff.find(search, ties)
        assert tour is not None
        solution = Solution(board_shown, Tour(tuple(tour)))
        model = find_model(problem, solution, REQUEST)
        assert model is not None
        tried = [board_literals(problem, way) for way in member_lists(problem.header, solution)]
        assert any(literals and set(literals) <= true_of(model) for literals in tried)
    # Two squares exchanged make no tour, and so no model.
    wrong = [*tour[:3], tour[4], tour[3], *tour[5:]]
    assert find_model(problem, Solution(board_shown, Tour(tuple(wrong))), REQUEST) is None


def true_of(model: np.ndarray) -> set[int]:
    return {int(value) * number for number, value in enumerate(model.tolist()) if number}

"""Heuristics as solvers: commands, checks, errors, and tours as models of every encoding."""

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
from boardsat.adapters.views import Solution, Tour
from boardsat.base.errors import BoardsatError, WrongAnswerError
from boardsat.generators import describe, find
from boardsat.generators.spec.catalogue import encodings_of
from boardsat.instance.formula_file import instance_from_comments, open_formula
from boardsat.workflows.solve.board_models import board_literals, member_lists
from boardsat.workflows.solve.checks import check_board_answer
from boardsat.workflows.solve.lazy_formulas import find_model
from boardsat.workflows.solve.request import SolveRequest

# Commands.


def solve(*arguments: object) -> CommandOutput:
    return boardsat("solve", *arguments)


def seeded_command(name: str) -> tuple[object, ...]:
    """Return the arguments of `solve` for a heuristic, with a seed if it accepts one."""
    seed = ("--seed", 3) if solvers.load(name).takes_seed("embedded") else ()
    return ("tour", "-n", 6, "--solver", name, *seed, "--json")


NAMES = [solver.name for solver in HEURISTICS]


@pytest.mark.parametrize("name", NAMES)
def test_heuristic_solver_prints_draws_and_checks_its_tour(name: str, tmp_path: Path) -> None:
    picture = tmp_path / "tour.svg"
    result = solve(*seeded_command(name), "--svg", picture)
    assert result.code == 10 and result.err == ""
    answer = json.loads(result.out)
    assert answer["checked"] == ["board"] and answer["unchecked"] == []
    cells = {number: cell for cell, number in enumerate(chain(*answer["board"]), 1)}
    order = [cells[number] - 1 for number in range(1, 37)]
    assert_tour(order, knight_edges(6, 6), 36, 0, True)
    assert picture.read_text().startswith("<svg")


@pytest.mark.parametrize("name", mostly_slow(NAMES, ["warnsdorff"]))
def test_equal_seeds_give_equal_tours(name: str) -> None:
    first, second = (json.loads(solve(*seeded_command(name)).out)["board"] for _ in range(2))
    assert first == second


def test_different_seeds_give_different_tours() -> None:
    arguments = ("tour", "-n", 6, "--solver", "warnsdorff", "--json", "--seed")
    boards = [json.loads(solve(*arguments, seed).out)["board"] for seed in (1, 2)]
    assert boards[0] != boards[1]


def test_large_board_is_solved_without_a_formula() -> None:
    result = solve("tour", "-n", 100, "--set", "closed=false", "--solver", "warnsdorff-pohl")
    assert result.code == 10 and result.out.endswith("checked: board\n")


def test_board_is_read_from_a_formula_file(tmp_path: Path) -> None:
    path = instance(tmp_path, "tour/binary", ".cnf.gz", rows=5, cols=6, start=7)
    answer = json.loads(solve(path, "--solver", "warnsdorff", "--json").out)
    assert answer["status"] == "SATISFIABLE" and answer["board"][1][1] == 1


def test_petersen_graph_from_a_file_has_paths_and_no_cycle(tmp_path: Path) -> None:
    file = tmp_path / "petersen.txt"
    file.write_text("".join(f"{u + 1} {v + 1}\n" for u, v in PETERSEN))
    arguments = ("hamilton", "--set", f"graph={file}", "--solver")
    assert solve(*arguments, "warnsdorff", "--set", "closed=false").code == 10
    refutation = solve(*arguments, "backtracking")
    assert refutation.code == 20
    assert "an exhaustive search from the start found no tour" in refutation.out
    unsuitable = solve(*arguments, "parberry")
    assert unsuitable.code == 0 and "UNKNOWN (Parberry's method is for a knight" in unsuitable.out


def test_odd_board_is_refuted_by_its_colours() -> None:
    result = solve("tour", "-n", 7, "--solver", "warnsdorff")
    assert result.code == 20
    assert "25 and 24 cells of the two colours" in result.out
    assert "NOT checked: proof" in result.out


def test_time_limit_gives_unknown() -> None:
    result = solve("tour", "-n", 20, "--solver", "backtracking", "--timeout", 1)
    assert result.code == 0 and result.out.startswith("UNKNOWN (time limit)")


@pytest.mark.parametrize(
    ("arguments", "fault"),
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
def test_unsupported_request_is_reported_in_one_line(
    arguments: tuple[object, ...], fault: str
) -> None:
    result = solve(*arguments, "--solver", "warnsdorff")
    assert result.code == 2 and fault in result.one_line()


def test_file_without_a_board_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "plain.cnf"
    file.write_text("p cnf 1 1\n1 0\n")
    result = solve(file, "--solver", "warnsdorff")
    assert result.code == 2 and "only hamilton and tour, not this problem" in result.one_line()


def test_describe_gives_the_comments_of_the_file(tmp_path: Path) -> None:
    settings = {"rows": 5, "cols": 6, "closed": False}
    opened = open_formula(instance(tmp_path, "tour/unary", **settings))
    described = instance_from_comments(describe(find("tour", "unary"), settings))
    assert described.comments[1:] == opened.comments[1 : len(described.comments)]
    formula_keys = {"spec_variables", "count_preserving"}
    metadata = {k: v for k, v in opened.header.metadata.items() if k not in formula_keys}
    assert described.header.metadata == metadata


# Solver output.


def parse_tour(text: str, cells: int = 3) -> tuple[int, ...] | None:
    parser = PARSERS["tour"](cells)
    for line in text.splitlines():
        parser.feed(line)
    return parser.tour()


def test_tour_parser_reads_value_lines() -> None:
    assert parse_tour("s SATISFIABLE\nv 2 1\nv 3 0\n") == (1, 0, 2)
    assert parse_tour("s SATISFIABLE\nv 2 1 3\nv 0\n") == (1, 0, 2)


@pytest.mark.parametrize(
    "lines",
    ["v 1 2", "v 1 4 0", "v 1 0 2", "v 1 0\nv 2 0", "v -1 0", "v x 0", "v 1 2 3 1\nv 2 3\nv 0"],
)
def test_tour_parser_rejects_malformed_lines(lines: str) -> None:
    with pytest.raises(BoardsatError):
        parse_tour(f"s SATISFIABLE\n{lines}\n")


def test_invalid_tour_raises_wrong_answer_error() -> None:
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


# Tours as models of the encodings.

REQUEST = SolveRequest("cadical", "embedded")
BOARDS = {
    "5x6 closed": {"rows": 5, "cols": 6},
    "6x6 closed": {"n": 6},
    "6x6 one way": {"n": 6, "one_direction": True},
    "5x5 open": {"n": 5, "closed": False},
}


@pytest.mark.parametrize("encoding", mostly_slow(encodings_of("tour"), ["binary", "cuts"]))
@pytest.mark.parametrize("board", mostly_slow(BOARDS, ["5x6 closed"]))
def test_tour_is_a_model_of_every_encoding(board: str, encoding: str, tmp_path: Path) -> None:
    parameters = {parameter.name for parameter in find("tour", encoding).parameters}
    settings = {name: value for name, value in BOARDS[board].items() if name in parameters}
    problem = open_formula(instance(tmp_path, f"tour/{encoding}", **settings))
    rows, cols = problem.header.parameters["rows"], problem.header.parameters["cols"]
    closed = bool(problem.header.parameters["closed"])
    grid = board_of(problem.header)
    assert grid is not None
    search = search_for(rows * cols, knight_edges(rows, cols), 0, closed, 1)
    for ties in warnsdorff.TIES:
        tour = warnsdorff.find(search, ties)
        assert tour is not None
        solution = Solution(grid, Tour(tuple(tour)))
        model = find_model(problem, solution, REQUEST)
        assert model is not None
        candidates = [
            board_literals(problem, members) for members in member_lists(problem.header, solution)
        ]
        assert any(literals and set(literals) <= true_literals(model) for literals in candidates)
    # An order with two squares exchanged is not a tour, so it has no model.
    invalid_tour = [*tour[:3], tour[4], tour[3], *tour[5:]]
    assert find_model(problem, Solution(grid, Tour(tuple(invalid_tour))), REQUEST) is None


def true_literals(model: np.ndarray) -> set[int]:
    return {int(value) * number for number, value in enumerate(model.tolist()) if number}

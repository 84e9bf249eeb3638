"""What people and programs are told of an answer: boards, words, plain data, and why not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver
from running import boardsat
from support import GRAPHS, whole

from adapters import dialects
from adapters.answer import Answer, End, Status, Usage
from boardsat import showing
from boardsat.problem import Problem, open_problem
from boardsat.solving import Request, Result, examine
from generators import build, find, parse, write
from generators.catalogue import problems

WORDS = """
title: Two coins that differ, and a lamp
params: {n: 2}
variables:
  Coin:
    for: k in range(n)
    means: coin {k + 1} of {n} shows heads
  Lamp:
    means: the lamp is on
  Bare:
    for: k in range(2)
constraints:
  - exactly_one: Coin[k] for k in range(n)
  - clause: Coin[0]
  - clause: Lamp
  - clause: Bare[1]
  - clause: not Bare[0]
"""


def written(folder: Path, text: str, **settings: object) -> Problem:
    path = str(folder / "formula.cnf")
    write(build(parse(text), {key: str(value) for key, value in settings.items()}), path)
    return open_problem(path)


def answered(problem: Problem) -> Result:
    """What the solver of this test says of a file, checked as every answer is."""
    formula = CNF(from_file=problem.path)
    with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
        status = Status.SATISFIABLE if solver.solve() else Status.UNSATISFIABLE
        said = dialects.Competition(problem.variables)
        if status is Status.SATISFIABLE:
            said.feed("v " + " ".join(map(str, solver.get_model())) + " 0")
    answer = Answer(
        status,
        "",
        said.model(),
        None,
        End.FINISHED,
        status.value,
        Usage(0.25),
        "me",
        "1",
        "native",
        (),
    )
    return examine(problem, answer, Request("me"))


def shown(problem: Problem) -> list[str]:
    return showing.shown(answered(problem), problem).splitlines()


def answer_file(problem: Problem, folder: Path) -> Path:
    model = answered(problem).answer.model
    assert model is not None
    literals = [v if model[v] > 0 else -v for v in range(1, len(model))]
    path = folder / "answer"
    path.write_text("s SATISFIABLE\nv " + " ".join(map(str, literals)) + " 0\n")
    return path


# Without a board.


def test_without_a_view_what_holds_is_shown_in_the_words_of_the_spec(tmp_path: Path) -> None:
    problem = written(tmp_path, WORDS)
    held = ["Coin[0]: coin 1 of 2 shows heads", "Lamp: the lamp is on", "Bare[1]"]
    assert shown(problem) == ["SATISFIABLE: me 1, native, 0.25 s", *held, "checked: model"]
    said = boardsat("decode", problem.path, answer_file(problem, tmp_path))
    assert (said.code, said.out.splitlines(), said.err) == (0, held, "")


def test_a_foreign_file_shows_its_literals(tmp_path: Path) -> None:
    path = tmp_path / "foreign.cnf"
    clauses = [[v if v % 3 else -v] for v in range(1, 41)]
    path.write_text("p cnf 40 40\n" + "".join(f"{v} 0\n" for (v,) in clauses))
    problem = open_problem(str(path))
    lines = shown(problem)[1:-1]
    assert all(line.startswith("v ") and len(line) < 80 for line in lines) and len(lines) > 1
    assert " ".join(line[2:] for line in lines) == " ".join(str(v) for (v,) in clauses) + " 0"
    said = boardsat("decode", path, answer_file(problem, tmp_path), "--svg", tmp_path / "x.svg")
    assert (said.code, said.out.splitlines()) == (0, lines)
    assert "x.svg: no picture is written: the file does not say" in said.err
    assert not (tmp_path / "x.svg").exists()


def test_a_spec_without_a_view_says_why_there_is_no_picture(tmp_path: Path) -> None:
    problem = written(tmp_path, WORDS)
    answer = answer_file(problem, tmp_path)
    said = boardsat("decode", problem.path, answer, "--svg", tmp_path / "x.svg")
    assert said.code == 0 and "the spec has no view" in said.err and "boardsat?" not in said.err


# UNSAT in words.

NONE: dict[str, tuple[dict[str, Any], str]] = {
    "tour": ({"n": 5}, "there is no closed tour of 5x5 by a knight"),
    "hamilton": ({"graph": GRAPHS / "petersen.col"}, "the graph has no Hamiltonian cycle"),
    "symmetric": (
        {"rows": 4, "cols": 4},
        "no closed tour of 4x4 stays the same when turned by 180 degrees",
    ),
    "queens": ({"n": 3}, "3 queens do not fit on 3x3"),
    "latin": ({"n": 2, "givens": "11.."}, "no Latin square of 2x2 has these entries"),
    "sudoku": ({"n": 2, "givens": "11" + "." * 14}, "the puzzle has no solution"),
    "colouring": (
        {"graph": GRAPHS / "petersen.col", "colours": 2},
        "the graph has no colouring with 2 colours",
    ),
    "pigeonhole": ({"n": 3}, "4 pigeons do not fit into 3 holes"),
}


@pytest.mark.parametrize("name", problems())
def test_unsat_says_in_words_what_there_is_not(name: str, tmp_path: Path) -> None:
    settings, words = NONE[name]
    encoding = next(spec for spec in whole() if spec.startswith(f"{name}/"))
    path = str(tmp_path / "formula.cnf")
    write(build(find(encoding), {key: str(value) for key, value in settings.items()}), path)
    lines = shown(open_problem(path))
    assert lines[1] == words
    assert lines[2].startswith("NOT checked: proof (") and "--proof" in lines[2]


def test_a_spec_that_does_not_say_what_there_is_not(tmp_path: Path) -> None:
    never = WORDS.replace("clause: not Bare[0]", "clause: not Bare[1]")
    assert shown(written(tmp_path, never))[1] == "no solution: Two coins that differ, and a lamp"
    counted = never.replace("params:", "objects: ways\nparams:")
    assert shown(written(tmp_path, counted))[1] == "there are no ways"
    (tmp_path / "foreign.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    foreign = open_problem(str(tmp_path / "foreign.cnf"))
    assert shown(foreign)[1] == f"no assignment satisfies all clauses of {foreign.path}"


def test_after_boards_unsat_means_that_there_are_no_more(tmp_path: Path) -> None:
    (tmp_path / "foreign.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    problem = open_problem(str(tmp_path / "foreign.cnf"))
    assert showing.shown(answered(problem), problem, True).splitlines()[1] == "there are no more"


def test_an_unsatisfiable_problem_says_why_there_is_no_picture(tmp_path: Path) -> None:
    target = tmp_path / "x.svg"
    said = boardsat("solve", "queens", "-n", 3, "--svg", target, "--runtime", "embedded")
    assert said.code == 20 and not target.exists()
    assert said.err == f"boardsat: {target}: no picture is written: 3 queens do not fit on 3x3\n"


# For programs.


def test_json_has_the_model_the_instance_and_the_statistics(tmp_path: Path) -> None:
    words = ("queens", "-n", 5, "--seed", 7, "--timeout", 60, "--runtime", "embedded", "--json")
    told = json.loads(boardsat("solve", *words).out)
    assert told["instance"] == {
        "problem": "queens",
        "encoding": "squares",
        "title": "Queens that do not attack each other, a variable for every square",
        "settings": {"n": 5, "amo": "pairwise"},
        "file": None,
        "seed": 7,
        "limits": {"wall": 60, "cpu": None, "memory": None},
    }
    assert [abs(literal) for literal in told["model"]] == list(range(1, 26))
    board = [number for row in told["board"] for number in row]
    assert [int(literal > 0) for literal in told["model"]] == board
    assert told["statistics"].keys() >= {"conflicts", "decisions", "propagations"}


def test_json_of_what_has_no_board(tmp_path: Path) -> None:
    problem = written(tmp_path, WORDS)
    told = showing.described(answered(problem), problem, Request("me"), problem.path)
    assert told["board"] is None and told["holds"][0] == "Coin[0]: coin 1 of 2 shows heads"
    assert told["model"] == [1, -2, 3, -4, 5]
    assert told["instance"]["problem"] == "spec" and told["instance"]["file"] == problem.path
    assert json.loads(showing.as_json(told)) == told
    assert '"model": [1, -2, 3, -4, 5],' in showing.as_json(told)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("c conflicts:                   724     42438.45    per second", {"conflicts": 724}),
        ("c propagations: 18", {"propagations": 18}),
        ("c   restartstab:                 0         0.00 %  of all restarts", {}),
        ("c conflicts: 12345678901234567890", {}),
        ("c decisions/conflicts      : 1.62", {}),
    ],
)
def test_statistics_are_read_from_comments(line: str, expected: dict[str, int]) -> None:
    said = dialects.Competition(3)
    said.feed(line)
    assert said.statistics == expected

"""UNSAT in words, and answers for programs."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from helpers.answer_text import COINS_SPEC, answer_lines, solve_formula, write_formula
from helpers.formulas import non_lazy_specs, one_in
from helpers.problem_settings import none_settings
from helpers.solver_runs import boardsat

from boardsat.adapters.solvers import output_parsers
from boardsat.base.text import format_json
from boardsat.generators import build, find, write
from boardsat.generators.spec.catalogue import problems
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.solve.request import SolveRequest
from boardsat.workflows.solve.result import answer_to_json, format_result

# UNSAT in words.


@pytest.mark.parametrize("name", one_in(3, filter(none_settings, problems())))
def test_unsat_says_in_words_what_there_is_not(name: str, tmp_path: Path) -> None:
    told = none_settings(name)
    assert told
    settings, words = told
    encoding = next(spec for spec in non_lazy_specs() if spec.startswith(f"{name}/"))
    path = str(tmp_path / "formula.cnf")
    write(build(find(encoding), settings), path)
    lines = answer_lines(open_formula(path, generated_here=True))
    assert lines[1] == words
    assert lines[2].startswith("NOT checked: proof (") and "--proof" in lines[2]


def test_a_spec_that_does_not_say_what_there_is_not(tmp_path: Path) -> None:
    never = COINS_SPEC.replace("clause: not Bare[0]", "clause: not Bare[1]")
    assert (
        answer_lines(write_formula(tmp_path, never))[1]
        == "no solution: Two coins that differ, and a lamp"
    )
    counted = never.replace("params:", "counted_objects: ways\nparams:")
    assert answer_lines(write_formula(tmp_path, counted))[1] == "there are no ways"
    (tmp_path / "foreign.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    foreign = open_formula(str(tmp_path / "foreign.cnf"))
    assert answer_lines(foreign)[1] == f"no assignment satisfies all clauses of {foreign.path}"


def test_after_boards_unsat_means_that_there_are_no_more(tmp_path: Path) -> None:
    (tmp_path / "foreign.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    problem = open_formula(str(tmp_path / "foreign.cnf"))
    assert (
        format_result(solve_formula(problem), problem, True).splitlines()[1] == "there are no more"
    )


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
    problem = write_formula(tmp_path, COINS_SPEC)
    told = answer_to_json(solve_formula(problem), problem, SolveRequest("me"), problem.path)
    assert told["board"] is None and told["holds"][0] == "Coin[0]: coin 1 of 2 shows heads"
    assert told["model"] == [1, -2, 3, -4, 5]
    assert told["instance"]["problem"] == "spec" and told["instance"]["file"] == problem.path
    assert json.loads(format_json(told)) == told
    assert '"model": [1, -2, 3, -4, 5],' in format_json(told)


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
    said = output_parsers.CompetitionParser(3)
    said.feed(line)
    assert said.statistics == expected


def test_a_long_model_in_json_takes_little_more_than_its_text() -> None:
    """And is laid out as `json` does it, but for lists of numbers."""
    told = {"model": list(range(-50_000, 50_000)), "a": [{"b": []}, [1, None], {}], "é": "\x1b"}
    tracemalloc.start()
    text = format_json(told)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 * len(text)
    numbers = ", ".join(map(str, told["model"]))
    rest = json.dumps(told | {"model": 0}, indent=2)
    assert text == rest.replace('"model": 0', f'"model": [{numbers}]')

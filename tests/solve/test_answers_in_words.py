"""Messages for unsatisfiable problems, and answers as JSON."""

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

# Unsatisfiable problems.


@pytest.mark.parametrize("name", one_in(3, filter(none_settings, problems())))
def test_unsat_prints_the_message_of_the_problem(name: str, tmp_path: Path) -> None:
    case = none_settings(name)
    assert case
    settings, message = case
    encoding = next(spec for spec in non_lazy_specs() if spec.startswith(f"{name}/"))
    path = str(tmp_path / "formula.cnf")
    write(build(find(encoding), settings), path)
    lines = answer_lines(open_formula(path, generated_here=True))
    assert lines[1] == message
    assert lines[2].startswith("NOT checked: proof (") and "--proof" in lines[2]


def test_unsat_without_a_message_prints_the_title(tmp_path: Path) -> None:
    unsat_spec = COINS_SPEC.replace("clause: not Bare[0]", "clause: not Bare[1]")
    assert (
        answer_lines(write_formula(tmp_path, unsat_spec))[1]
        == "no solution: Two coins that differ, and a lamp"
    )
    counting_spec = unsat_spec.replace("params:", "counted_objects: ways\nparams:")
    assert answer_lines(write_formula(tmp_path, counting_spec))[1] == "there are no ways"
    (tmp_path / "foreign.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    foreign = open_formula(str(tmp_path / "foreign.cnf"))
    assert answer_lines(foreign)[1] == f"no assignment satisfies all clauses of {foreign.path}"


def test_unsat_after_further_models_prints_that_there_are_no_more(tmp_path: Path) -> None:
    (tmp_path / "foreign.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    problem = open_formula(str(tmp_path / "foreign.cnf"))
    assert (
        format_result(solve_formula(problem), problem, True).splitlines()[1] == "there are no more"
    )


def test_unsat_reports_why_no_picture_is_written(tmp_path: Path) -> None:
    target = tmp_path / "x.svg"
    result = boardsat("solve", "queens", "-n", 3, "--svg", target, "--runtime", "embedded")
    assert result.code == 20 and not target.exists()
    assert result.err == f"boardsat: {target}: no picture is written: 3 queens do not fit on 3x3\n"


# JSON.


def test_json_has_model_instance_and_statistics(tmp_path: Path) -> None:
    arguments = ("queens", "-n", 5, "--seed", 7, "--timeout", 60, "--runtime", "embedded", "--json")
    answer = json.loads(boardsat("solve", *arguments).out)
    assert answer["instance"] == {
        "problem": "queens",
        "encoding": "squares",
        "title": "Queens that do not attack each other, a variable for every square",
        "settings": {"n": 5, "amo": "pairwise"},
        "file": None,
        "seed": 7,
        "limits": {"wall": 60, "cpu": None, "memory": None},
    }
    assert [abs(literal) for literal in answer["model"]] == list(range(1, 26))
    board = [number for row in answer["board"] for number in row]
    assert [int(literal > 0) for literal in answer["model"]] == board
    assert answer["statistics"].keys() >= {"conflicts", "decisions", "propagations"}


def test_json_without_a_board_has_descriptions(tmp_path: Path) -> None:
    problem = write_formula(tmp_path, COINS_SPEC)
    answer = answer_to_json(solve_formula(problem), problem, SolveRequest("me"), problem.path)
    assert answer["board"] is None and answer["holds"][0] == "Coin[0]: coin 1 of 2 shows heads"
    assert answer["model"] == [1, -2, 3, -4, 5]
    assert answer["instance"]["problem"] == "spec" and answer["instance"]["file"] == problem.path
    assert json.loads(format_json(answer)) == answer
    assert '"model": [1, -2, 3, -4, 5],' in format_json(answer)


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
def test_parser_reads_statistics_from_comments(line: str, expected: dict[str, int]) -> None:
    parser = output_parsers.CompetitionParser(3)
    parser.feed(line)
    assert parser.statistics == expected


def test_format_json_of_a_long_model_needs_little_more_memory_than_its_text() -> None:
    """The layout is that of `json`, except for lists of numbers."""
    answer = {"model": list(range(-50_000, 50_000)), "a": [{"b": []}, [1, None], {}], "é": "\x1b"}
    tracemalloc.start()
    text = format_json(answer)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 * len(text)
    numbers = ", ".join(map(str, answer["model"]))
    expected = json.dumps(answer | {"model": 0}, indent=2)
    assert text == expected.replace('"model": 0', f'"model": [{numbers}]')

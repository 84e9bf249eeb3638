"""`import boardsat`: quick to load, typed, and of one mind with the command line."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers import documents, processes
from helpers.formulas import clauses_of, mostly_slow, shipped
from pysat.solvers import Solver

import boardsat as entrance

ROOT = Path(__file__).parents[2]
LIMITS = {"runtime": "embedded", "timeout": 60}
OPTIONS = ["--runtime", "embedded", "--timeout", 60]

UNSAT = "title: none\nvariables: {X: {}}\nconstraints:\n  - clause: X\n  - clause: not X\n"


def loaded_after(program: str) -> set[str]:
    """The modules that a program has loaded at its end."""
    script = f"import sys\n{program}\nprint(*sys.modules)"
    outcome = processes.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(outcome.stdout.split())


def test_import_boardsat_imports_no_dependencies():
    loaded = loaded_after("import boardsat") - loaded_after("")
    ours = {name for name in loaded if name.split(".")[0] == "boardsat"}
    assert ours == {"boardsat"}
    assert not loaded & {"numpy", "yaml", "jinja2", "pysat", "docker", "dataclasses", "typing"}


def test_public_names_exist_and_are_documented():
    assert {*entrance.__all__} <= {*dir(entrance)}
    for name in entrance.__all__:
        assert getattr(entrance, name) is not None
    assert re.match(r"\d+\.\d+", entrance.__version__)
    with pytest.raises(AttributeError, match="no attribute 'sovle'"):
        _ = entrance.sovle


@pytest.mark.parametrize("name", ["tour/binary", "queens", "sudoku"])
def test_write_equals_cnf_command(name, boardsat, tmp_path):
    size = entrance.build(name).write(tmp_path / "here.cnf.gz")
    boardsat("cnf", name, "-o", tmp_path / "there.cnf.gz")
    by_write, by_command = (tmp_path / f"{name}.cnf.gz" for name in ("here", "there"))
    assert by_write.read_bytes() == by_command.read_bytes()
    assert size == by_write.stat().st_size


def test_transform_and_projection_equal_cnf_command(boardsat, tmp_path):
    formula = entrance.build("tour", "unary", n=6)
    changed = formula.transform(propagate=True, three_cnf="chain", shuffle=0)
    changed.write(tmp_path / "here.cnf", projection="show")
    arguments = ["--propagate", "--three-cnf", "chain", "--shuffle", 0, "--projection", "show"]
    boardsat("cnf", "tour/unary", "-n", 6, *arguments, "-o", tmp_path / "there.cnf")
    assert (tmp_path / "here.cnf").read_bytes() == (tmp_path / "there.cnf").read_bytes()


def test_clauses_equal_clause_arrays():
    formula = entrance.build("tour", encoding="unary", n=6)
    clauses = list(formula.clauses())
    assert clauses == clauses_of(shipped("tour/unary", n=6))
    assert len(clauses) == len(formula)
    tokens = [token for array in formula.iter_clause_arrays() for token in array.tolist()]
    assert tokens == [token for clause in clauses for token in [*clause, 0]]
    assert max(abs(token) for token in tokens) == formula.num_variables


@pytest.mark.parametrize(
    "arguments, settings",
    [
        (["tour", "-n", 6], {"n": 6}),
        (["queens", "-n", 3, "--solver", "minisat"], {"n": 3, "solver": "minisat"}),
        (["tour", "-n", 6, "--solver", "clingo"], {"n": 6, "solver": "clingo"}),
        (["tour", "-n", 6, "--solver", "warnsdorff"], {"n": 6, "solver": "warnsdorff"}),
    ],
)
def test_solve_equals_solve_command(arguments, settings, boardsat):
    result = entrance.solve(arguments[0], **settings, **LIMITS)
    outcome = boardsat("solve", *arguments, *OPTIONS)
    assert documents.timeless(str(result)) == documents.timeless(outcome.out.decode())
    assert result.status.value == outcome.code


def test_solve_result_equals_json_of_command(boardsat):
    result = entrance.solve("tour", n=6, **LIMITS)
    json_output = json.loads(boardsat("solve", "tour", "-n", 6, *OPTIONS, "--json").out)
    assert (result.board, result.model) == (json_output["board"], json_output["model"])
    assert [list(result.checked), list(result.unchecked)] == [
        json_output["checked"],
        json_output["unchecked"],
    ]
    assert result.objective_value is None


def test_optimum_has_objective_value():
    """Domination number of the queen's graph (OEIS A075458)."""
    best = entrance.solve("fewest_queens", n=5)
    assert (best.status.name, best.objective_value) == ("OPTIMUM", 3)


@pytest.mark.parametrize(
    "name, n, counter, number",
    mostly_slow(
        [("queens", 4, "enumeration", 2), ("tour", 6, "frontier", 9862), ("queens", 6, None, 4)],
        [("queens", 6, None, 4)],
    ),
)
def test_count_equals_count_command(name, n, counter, number, boardsat):
    counted = entrance.count(name, n=n, counter=counter, **LIMITS)
    assert (counted.count, counted.exact, counted.interval) == (number, True, None)
    options = ["--counter", counter] if counter else []
    output = boardsat("count", name, "-n", n, *options, *OPTIONS).out.decode()
    assert documents.timeless(str(counted)) == documents.timeless(output)


def test_approximate_count_has_interval():
    counted = entrance.count("queens", n=6, counter="approxmc", epsilon=0.5, seed=1, **LIMITS)
    assert not counted.exact
    low, high = counted.interval
    assert low <= counted.count <= high


def test_solve_accepts_formula_file_and_spec(tmp_path):
    formula = entrance.build("queens", n=6)
    path = tmp_path / "queens.cnf"
    formula.write(path)
    spec = tmp_path / "mine.yaml"
    spec.write_text((ROOT / "specs/queens/squares.yaml").read_text())
    for problem, settings in ((formula, {}), (path, {}), (str(path), {}), (spec, {"n": 6})):
        assert sum(map(sum, entrance.solve(problem, **settings, **LIMITS).board)) == 6
    for problem in (formula, path):
        assert entrance.count(problem, counter="enumeration", **LIMITS).count == 4


def test_settings_accept_python_values():
    formula = entrance.build("tour/binary", rows=5, cols=6, closed=False, holes=[28, 29])
    texts = {"rows": "5", "cols": "6", "closed": "false", "holes": "28,29"}
    assert [*formula.clauses()] == [*entrance.build("tour/binary", **texts).clauses()]


@pytest.fixture
def queens(tmp_path):
    """Return a formula, its file, and a model found by PySAT."""
    formula = entrance.build("queens", n=6)
    formula.write(tmp_path / "queens.cnf")
    with Solver("cadical153", bootstrap_with=formula.clauses()) as solver:
        assert solver.solve()
        return formula, tmp_path / "queens.cnf", solver.get_model()


def test_external_answers_are_decoded_and_checked(queens, boardsat):
    formula, path, model = queens
    text = f"s SATISFIABLE\nv {' '.join(map(str, model))} 0\n"
    answer = path.with_name("answer")
    answer.write_text(text)
    outcome = boardsat("decode", path, answer).out.decode().rstrip("\n")
    completed = boardsat("check", path, answer).out.decode().rstrip("\n")
    for problem in (formula, path, str(path)):
        for form in (model, text, answer, str(answer)):
            assert str(entrance.decode(problem, form)) == outcome
            checked = entrance.check(problem, form)
            assert (bool(checked), str(checked)) == (True, completed)


def test_wrong_answer_fails_check(queens):
    formula, path, model = queens
    wrong = [-literal for literal in model]
    for problem in (formula, path):
        checked = entrance.check(problem, wrong)
        assert not checked
        assert "WRONG MODEL" in str(checked)
    with pytest.raises(entrance.WrongAnswerError, match="WRONG MODEL"):
        entrance.decode(path, wrong)


def test_answer_set_is_decoded(tmp_path, boardsat):
    boardsat("asp", "tour", "-n", 6, "-o", tmp_path / "tour.lp")
    result = entrance.solve(tmp_path / "tour.lp", solver="clingo", **LIMITS)
    atoms = " ".join(f"{n}({','.join(map(str, of))})" for n, of in result.answer.answer_sets[0])
    answer = f"clingo version 5\nAnswer: 1\n{atoms}\nSATISFIABLE\n"
    assert entrance.decode(tmp_path / "tour.lp", answer).board == result.board


def test_results_have_svg_and_html(queens):
    formula, path, model = queens
    decoded = entrance.decode(path, model)
    solved = entrance.solve(path, **LIMITS)
    for drawn in (decoded, solved):
        picture = drawn.to_svg()
        assert picture == drawn._repr_svg_()
        ElementTree.fromstring(picture)
        assert picture in drawn._repr_html_()
        assert ". . Q" not in drawn._repr_html_()
    assert "checked: model, board" in solved._repr_html_()
    counted = entrance.count(formula, counter="enumeration", **LIMITS)
    for text in (formula._repr_html_(), counted._repr_html_()):
        ElementTree.fromstring(f"<div>{text}</div>")


def test_picture_without_board_is_rejected(tmp_path):
    (tmp_path / "none.yaml").write_text(UNSAT)
    result = entrance.solve(tmp_path / "none.yaml", **LIMITS)
    assert (result.board, result.model, result._repr_svg_()) == (None, None, None)
    assert result.status is entrance.Status.UNSATISFIABLE
    assert "no solution" in result._repr_html_()
    with pytest.raises(entrance.BoardsatError, match="no picture; no solution"):
        result.to_svg()


def test_str_of_results_has_no_colours(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\033" not in str(entrance.solve("queens", n=4, **LIMITS))


BAD = [
    (lambda: entrance.build("toor"), ("", "no problem 'toor'", "did you mean 'tour'?")),
    (lambda: entrance.build("queens", n=4, m=1), ("", "no parameter 'm'", "choose from")),
    (lambda: entrance.solve("x.cnf"), ("x.cnf", "no such file or directory", "")),
    (
        lambda: entrance.solve("x.cnf", n=4),
        ("x.cnf", "cannot be changed for a formula", "pass a problem name"),
    ),
    (lambda: entrance.solve("queens", solver="x"), ("", "no solver", "choose")),
    (lambda: entrance.solve("x.lp"), ("", "does not solve logic programs", "clingo")),
    (lambda: entrance.count("queens", counter="cadical"), ("", "does not count", "")),
    (lambda: entrance.decode("x.lp", "a b"), ("x.lp", "cannot read the program", "readable")),
]


@pytest.mark.parametrize("call, texts", BAD)
def test_input_error_has_location_fault_and_remedy(call, texts):
    with pytest.raises(entrance.BoardsatError) as caught:
        call()
    error = caught.value
    pieces = (error.location, error.fault, error.remedy)
    assert all(text in full_text for text, full_text in zip(texts, pieces, strict=True)), pieces
    assert "\n" not in str(error)
    assert error.fault in str(error)


PROGRAM = """
from fractions import Fraction

import boardsat

formula: boardsat.Formula = boardsat.build("tour", "binary", n=6)
clauses: list[list[int]] = list(formula.clauses())
literals: list[int] = [x for array in formula.iter_clause_arrays() for x in array.tolist()]
size: int = formula.write("tour.cnf")
result: boardsat.SolveResult = boardsat.solve(formula, solver="cadical", timeout=1.5, seed=1)
if result.status is boardsat.Status.SATISFIABLE and result.board is not None:
    picture: str = result.to_svg()
model: list[int] | None = result.model
checked: tuple[str, ...] = result.checked
seconds: float = result.usage.wall
found: boardsat.CountResult = boardsat.count("queens", n=6, counter="ganak")
number: int | Fraction | None = found.count
interval: tuple[int, int] | None = found.interval
right: bool = bool(boardsat.check("tour.cnf", model or []))
board = boardsat.decode("tour.cnf", "answer").board
try:
    boardsat.build("toor")
except boardsat.BoardsatError as error:
    place: str = error.location
version: str = boardsat.__version__
"""


@pytest.mark.slow
def test_interface_passes_strict_mypy(tmp_path):
    (tmp_path / "right.py").write_text(PROGRAM)
    (tmp_path / "wrong.py").write_text("import boardsat\n\nboardsat.sovle()\nboardsat.build(1)\n")
    arguments = ["--strict", "--config-file=", "--follow-imports=silent", "right.py", "wrong.py"]
    outcome = processes.run(
        [sys.executable, "-m", "mypy", f"--cache-dir={tmp_path}", *arguments],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    lines = outcome.stdout.splitlines()
    assert [line.split(":")[:2] for line in lines[:-1]] == [["wrong.py", "3"], ["wrong.py", "4"]]


INVALID_ARGUMENTS = [
    (entrance.build, {"encoding": 5}, "encoding must be a string (got 5)"),
    (entrance.build, {"break_symmetry": "yes"}, "break_symmetry must be True or False (got 'yes')"),
    (entrance.solve, {"solver": 3}, "solver must be a string (got 3)"),
    (entrance.solve, {"runtime": "moon"}, "runtime must be one of auto, docker, native, embedded"),
    (entrance.solve, {"runtime": None}, "runtime must be one of auto, docker, native, embedded"),
    (entrance.solve, {"seed": -1}, "seed must be an integer from 0 to 2**64 - 1 (got -1)"),
    (entrance.solve, {"seed": True}, "seed must be an integer from 0 to 2**64 - 1 (got True)"),
    (entrance.solve, {"proof": 3}, "proof must be True, False, a string or a path (got 3)"),
    (entrance.solve, {"method": 3}, "method must be a string (got 3)"),
    *(
        (workflow, {"timeout": timeout}, "timeout must be a finite number of seconds above 0")
        for workflow in (entrance.solve, entrance.count, entrance.sample, entrance.explain)
        for timeout in (0, -1, float("nan"), float("inf"), "5", True)
    ),
    (entrance.count, {"counter": 3}, "counter must be a string (got 3)"),
    (entrance.count, {"epsilon": 0}, "epsilon must be a finite number above 0 (got 0)"),
    (entrance.count, {"delta": 1}, "delta must be a number above 0 and below 1 (got 1)"),
    (entrance.count, {"repeat": 1.5}, "repeat must be an integer of at least 1 (got 1.5)"),
    (entrance.count, {"reference": 2}, "reference must be a string (got 2)"),
    (
        entrance.count,
        {"allow_invalid_projection": "no"},
        "allow_invalid_projection must be True or False (got 'no')",
    ),
    (entrance.sample, {"k": 0}, "k must be an integer from 1 to 100,000 (got 0)"),
    (entrance.sample, {"k": "3"}, "k must be an integer from 1 to 100,000 (got '3')"),
    (entrance.sample, {"sampler": 3}, "sampler must be a string (got 3)"),
    (entrance.sample, {"diverse": 1}, "diverse must be True or False (got 1)"),
]


@pytest.mark.parametrize("function, arguments, message", INVALID_ARGUMENTS)
def test_invalid_argument_is_rejected_with_its_parameter(function, arguments, message):
    with pytest.raises(entrance.InputError) as caught:
        function("queens", n=4, **arguments)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("argument", [5, None, ["queens"]])
def test_problem_that_is_no_path_is_rejected(argument):
    functions = [entrance.build, entrance.solve, entrance.count, entrance.sample, entrance.explain]
    calls = [lambda function=function: function(argument) for function in functions]
    calls += [lambda: entrance.decode(argument, [1]), lambda: entrance.check(argument, [1])]
    for call in calls:
        with pytest.raises(entrance.InputError, match="problem must be a string or a path"):
            call()


def test_invalid_arguments_of_methods_and_answers_are_rejected():
    queens = entrance.build("queens", n=4)
    for call, message in (
        (lambda: queens.transform(three_cnf="x"), "three_cnf must be one of auto, chain"),
        (lambda: queens.transform(shuffle="a"), "shuffle must be an integer from 0"),
        (lambda: queens.transform(propagate="x"), "propagate must be True or False"),
        (lambda: queens.variables(5), "name must be a string"),
        (lambda: queens.describe("1"), "literal must be an integer"),
        (lambda: queens.decode(5), "model must be a sequence of integers"),
        (lambda: queens.write(5), "path must be a string or a path"),
        (lambda: queens.write("x.cnf", "x"), "projection must be one of ind, show, none"),
        (lambda: entrance.decode(queens, 5), "answer must be a string, a path or a sequence"),
        (lambda: entrance.check(queens, [1], 5), "proof must be a string or a path"),
    ):
        with pytest.raises(entrance.InputError, match=message):
            call()

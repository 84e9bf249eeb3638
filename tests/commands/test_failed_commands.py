"""Failures tell the truth: no trust by content, nothing lost, no option without effect."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.bad_commands import HERE, SMALL, file, refused
from helpers.solver_runs import boardsat, instance
from pysat.formula import CNF
from pysat.solvers import Solver

from boardsat.adapters import run_solver
from boardsat.adapters.dimacs import rewrite
from boardsat.adapters.rendering import svg
from boardsat.adapters.runtimes import Task
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.solve.request import SolveRequest, solve_unchecked

BROKEN = {
    "p cnf 2 1\n1 3 0\n": "the header declares 2 variables (got literal 3)",
    "p cnf 2 2\n1 2 0\n": "the file ends after 1 clause but the header declares 2",
    "p cnf 2 1\n1 2 0\n-1 0\n": "the header declares 1 clause (got clause 2)",
    "p cnf 2 1\n1 2": "the last clause has no 0",
}


def answer_to(path: object) -> str:
    with Solver("minisat22", bootstrap_with=CNF(from_file=str(path))) as solver:
        assert solver.solve()
        return f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n"


# What reaches a solver.


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that solvers were given."""
    files: list[str] = []
    original = run_solver.run_solver

    def spy(solver: Any, where: str, task: Task, *arguments: Any) -> Any:
        files.append(Path(task.file).read_text())
        return original(solver, where, task, *arguments)

    monkeypatch.setattr(run_solver, "run_solver", spy)
    return files


@pytest.mark.parametrize(
    "first",
    [
        'c boardsat {"a": 1}',
        'c boardsat {"format": 2}',
        'c boardsat {"format": 2, "spec": "tour/binary"}',
        "c somebody",
    ],
)
def test_foreign_comments_are_removed_before_solving(
    first: str, seen: list[str], tmp_path: Path
) -> None:
    text = f"{first}\nc --unsat\nc a cnf 1 2\n{SMALL}"
    assert boardsat("solve", file(tmp_path, text), *HERE).code == 10
    assert seen == [SMALL]


def test_generated_file_is_passed_to_solver_unchanged(seen: list[str], tmp_path: Path) -> None:
    assert boardsat("solve", "queens", "-n", 4, *HERE).code == 10
    assert seen[0].startswith("c boardsat ")
    path = instance(tmp_path, "queens/squares", n=4)
    assert (
        solve_unchecked(open_formula(path), SolveRequest("minisat", "embedded")).status.value == 10
    )
    assert seen[1].startswith("p cnf 16 ")
    # A file without comments needs no copy.
    problem = open_formula(str(file(tmp_path, SMALL)))
    with rewrite.plain_copy(problem.summary, problem.path, problem.trusted) as plain:
        assert plain == problem.path


# Broken files.


@pytest.mark.parametrize("text", BROKEN)
def test_malformed_file_is_rejected_or_noted_with_lenient(text: str, tmp_path: Path) -> None:
    path = file(tmp_path, text)
    answer = file(tmp_path, "s SATISFIABLE\nv 1 2 3 0\n" if "3" in text else "v -1 2 0\n", "answer")
    fault = BROKEN[text]
    for arguments in (
        ("solve", path),
        ("count", path),
        ("projection", path),
        ("check", path, answer),
    ):
        line = refused(*arguments)
        assert fault in line and "--lenient" in line
    outcome = boardsat("check", path, answer, "--lenient")
    assert outcome.code == 0 and f"note: {path}:" in outcome.out and fault in outcome.out
    outcome = boardsat("solve", path, "--lenient", *HERE)
    assert outcome.code == 10 and fault in outcome.out.splitlines()[-1]
    assert (
        fault in json.loads(boardsat("solve", path, "--lenient", "--json", *HERE).out)["notes"][0]
    )


def test_formatting_variants_of_dimacs_are_accepted(tmp_path: Path) -> None:
    """Files of SATLIB end with a percent sign, and others have tabs or clauses over lines."""
    path = file(tmp_path, "p cnf  2 2\r\n1\t2 0 -1\n2 0\n%\n0\n")
    outcome = boardsat("solve", path, *HERE)
    assert outcome.code == 10 and "note" not in outcome.out


# Nothing is lost.


TARGETS = {
    "no such folder": lambda folder: folder / "nowhere" / "x",
    "a folder": lambda folder: folder,
    "another format": lambda folder: folder / "x.png",
}


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
@pytest.mark.parametrize("option", ["--svg", "-o", "--proof-file"])
def test_solve_checks_output_targets_before_solving(
    option: str, target: Callable[[Path], Path], seen: list[str], tmp_path: Path
) -> None:
    refused("solve", "queens", "-n", 4, *HERE, option, target(tmp_path))
    assert seen == []


def test_commands_check_output_targets_before_work(tmp_path: Path) -> None:
    path = instance(tmp_path, "queens/squares", n=4)
    answer = file(tmp_path, answer_to(path), "answer")
    nowhere = tmp_path / "nowhere" / "x"
    assert "folder does not exist" in refused("decode", path, answer, "--svg", nowhere)
    assert "folder does not exist" in refused("validate", path, "--html", nowhere)
    # An encoding that is not there would be told first, if the work had begun.
    for arguments in (("cnf", "tour", "--enc", "x"), ("asp", "nothing")):
        assert "folder does not exist" in refused(*arguments, "-o", nowhere)
        assert "parent folder 'nowhere' does not exist" in refused(*arguments, "-o", f"{nowhere}/")


@pytest.mark.parametrize("ending", ["frat", "cnf", "FRAT", "cnf.gz", "zip"])
def test_proof_file_with_wrong_suffix_is_rejected(ending: str) -> None:
    line = refused("solve", "tour", "--enc", "binary", "-n", 5, "--proof-file", f"proof.{ending}")
    suffix = f".{ending.lower().removesuffix('.gz')}"
    assert (
        f"--proof-file writes a DRAT or LRAT proof, but {suffix} is the suffix of another" in line
    )


def fails(*_: object) -> str:
    raise OSError(28, "No space left on device", "picture")


def test_failing_picture_keeps_the_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = instance(tmp_path, "queens/squares", n=4)
    answer = file(tmp_path, answer_to(path), "answer")
    monkeypatch.setattr(svg, "solution_to_svg", fails)
    target = tmp_path / "x.svg"
    for arguments in (("solve", path, *HERE), ("decode", path, answer)):
        outcome = boardsat(*arguments, "--svg", target)
        assert outcome.code == 2
        assert (
            "Q" in outcome.out and outcome.err.count("\n") == 1 and "No space left" in outcome.err
        )
        assert not target.exists()


def test_broken_pipe_keeps_the_picture(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def closed(*_: Any, **__: Any) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("boardsat.commands.solve._show", closed)
    target = tmp_path / "queens.svg"
    boardsat("solve", "queens", "-n", 4, "--runtime", "embedded", "--svg", target)
    assert target.read_text().startswith("<svg")


@pytest.mark.parametrize("option", ["--svg", "--proof-file", "-o"])
def test_empty_file_name_is_rejected(option: str) -> None:
    outcome = boardsat("solve", "queens", "-n", 4, option, "")
    assert outcome.code == 2 and "the name of the file is empty" in outcome.one_line()


def test_setting_file_with_byte_order_mark_is_read(tmp_path: Path) -> None:
    givens = tmp_path / "givens.txt"
    givens.write_text("1...\n....\n....\n....\n", "utf-8-sig")
    outcome = boardsat("size", "latin/direct", "-n", 4, "--set", f"givens=@{givens}")
    assert outcome.code == 0, outcome.err


def test_failing_formula_output_keeps_the_answer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("boardsat.workflows.solve.saved_cuts.write_file", fails)
    outcome = boardsat("solve", "queens", "-n", 4, *HERE, "-o", tmp_path / "x.cnf")
    assert outcome.code == 2 and "Q" in outcome.out and "No space left" in outcome.err


def test_solver_failure_keeps_previous_models(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from boardsat.base.errors import SolverError

    original, calls = run_solver.run_solver, []

    def second_fails(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) > 1:
            raise SolverError("the engine is gone", "start it")
        return original(*arguments)

    monkeypatch.setattr(run_solver, "run_solver", second_fails)
    outcome = boardsat("solve", "queens", "-n", 4, *HERE, "--models", 3)
    assert outcome.code == 2 and outcome.out.count("SATISFIABLE") == 1 and "Q" in outcome.out
    assert outcome.err == "boardsat: the engine is gone; start it\n"

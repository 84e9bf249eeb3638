"""Surprises of new users: missing notes and messages, answers that no command reads again."""

from __future__ import annotations

import json
import os
import pty
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers import processes
from helpers.solver_runs import boardsat, instance, with_library, with_program

from boardsat.adapters import run_solver, solvers
from boardsat.adapters.runtimes import Task, container, embedded
from boardsat.commands import _announced_input
from boardsat.generators.sections.parameters import setting_location
from boardsat.workflows.validate import consensus, result

HERE = ("--runtime", "embedded")
FOREIGN = "p cnf 2 2\n1 2 0\n-1 0\n"


# Proofs.


@pytest.fixture
def prover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program of a solver that writes proofs, and of a checker that believes them."""
    folder = tmp_path / "solvers"
    shutil.copytree(solvers.FOLDER, folder)
    program, checker = tmp_path / "prover", tmp_path / "drat-trim"
    checker.write_text("#!/bin/sh\necho s VERIFIED\n")
    checker.chmod(0o755)
    command = "'{{ program }} {{ file }} {% if proof %}{{ proof }}{% endif %}'"
    (folder / "prover.yaml").write_text(
        f"title: a prover\nprogram: {program}\ncommand: {command}\n"
        "dialect: competition\ncan: decide prove\nproofs: drat-text\n"
    )
    (folder / "drat-trim.yaml").write_text(
        f"title: a checker\nprogram: {checker}\ncommand: {command}\ndialect: drat\ncan: check\n"
        "proofs: drat-text\n"
    )
    monkeypatch.setattr(solvers, "FOLDER", folder)
    return program


@pytest.mark.parametrize(
    ("answer", "code", "message"),
    [
        ("s SATISFIABLE\nv -1 2 0", 10, "no proof: the formula is satisfiable"),
        ("s UNKNOWN", 0, "no proof: there is no answer yet"),
        ("s UNSATISFIABLE", 20, ""),
    ],
)
def test_missing_proof_is_reported_with_reason(
    answer: str, code: int, message: str, prover: Path, tmp_path: Path
) -> None:
    prover.write_text(f"#!/bin/sh\n: >$2\ncat <<.\n{answer}\n.\nexit {code}\n")
    prover.chmod(0o755)
    file, proof = tmp_path / "x.cnf", tmp_path / "proof"
    file.write_text(FOREIGN)
    outcome = boardsat("solve", file, "--solver", "prover", "--proof-file", proof)
    assert outcome.code == code, outcome.err
    assert outcome.err == (f"boardsat: {proof}: {message}\n" if message else "")
    assert proof.exists() == (not message)


# Answers of our own.


def test_decode_accepts_output_of_solve(tmp_path: Path) -> None:
    queens, answer = instance(tmp_path, "queens/squares", n=5), tmp_path / "answer"
    answer.write_text(boardsat("solve", queens, "--json", *HERE).out)
    outcome = boardsat("check", queens, answer)
    assert (outcome.code, outcome.out.count("\n")) == (0, 2)
    output = boardsat("solve", queens, *HERE).out
    assert boardsat("decode", queens, answer).out in output
    # A model of something else is refuted like any other.
    document = json.loads(answer.read_text())
    document["model"][0] *= -1
    answer.write_text(json.dumps([document]))
    assert boardsat("check", queens, answer).code == 1


def test_decode_accepts_text_with_literals(tmp_path: Path) -> None:
    file, answer = tmp_path / "x.cnf", tmp_path / "answer"
    file.write_text(FOREIGN)
    answer.write_text(boardsat("solve", file, *HERE).out)
    assert boardsat("check", file, answer).out == "the model satisfies all 2 clauses\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("SATISFIABLE: x, 0.1 s\n1 2 3\n4 5 6\n", "the answer has no model: it says SATISFIABLE"),
        ("SATISFIABLE (why): x, 0.1 s\n", "the answer has no model: it says SATISFIABLE"),
        ("UNKNOWN (time): x, 0.1 s\n", "the answer has no model: it says UNKNOWN"),
        ('{"status": "SATISFIABLE", "model": null}', "it says SATISFIABLE"),
        ('{"status": "SATISFIABLE", "model": [1, "2"]}', "it says SATISFIABLE"),
        ('{"status": "SATISFIABLE"', "the answer is not valid JSON"),
        ("[" * 100_000, "the answer is not valid JSON"),
        ("[]", "the JSON is not an answer of boardsat"),
        ('{"status": ["SATISFIABLE"]}', "the JSON is not an answer of boardsat"),
        ("", "the answer has no model: it says nothing"),
    ],
)
def test_decode_of_invalid_answer_lists_accepted_forms(
    text: str, fault: str, tmp_path: Path
) -> None:
    file, answer = tmp_path / "x.cnf", tmp_path / "answer"
    file.write_text(FOREIGN)
    answer.write_text(text)
    for command in ("check", "decode"):
        outcome = boardsat(command, file, answer)
        assert outcome.code == 2
        assert fault in outcome.one_line() and "`boardsat solve --json`" in outcome.err
    answer.write_text('[{"status": "UNKNOWN"}, {"status": "UNKNOWN"}]')
    assert (
        "the JSON list must contain one answer (got 2)"
        in boardsat("check", file, answer).one_line()
    )


def test_decode_announces_waiting_for_stdin(tmp_path: Path) -> None:
    file = tmp_path / "x.cnf"
    file.write_text(FOREIGN)
    command = [sys.executable, "-m", "boardsat", "decode", str(file)]
    piped = processes.run(command, input=b"v -1 2 0\n", capture_output=True)
    assert (piped.returncode, piped.stderr) == (0, b"")
    ours, theirs = pty.openpty()
    os.write(ours, b"v -1 2 0\n\x04")
    typed = processes.run(command, stdin=theirs, capture_output=True, timeout=30)
    os.close(theirs)
    os.close(ours)
    assert typed.stdout == piped.stdout
    assert typed.stderr == b"boardsat: reading the answer from standard input\n"


# Solvers.


def test_unsupported_runtime_error_lists_supported_ones(tmp_path: Path) -> None:
    custom_solver = tmp_path / "own.yaml"
    custom_solver.write_text(
        "title: x\nprogram: own\ncommand: '{{ program }} {{ file }}'\n"
        "dialect: competition\ncan: decide\n"
    )
    for solver, where, remedy in (
        ("cadical300", "docker", "(docker: no image); choose --runtime embedded"),
        ("clasp", "embedded", "choose --runtime docker or native"),
        (custom_solver, "docker", "choose --runtime native"),
    ):
        outcome = boardsat("solve", "queens", "-n", 4, "--solver", solver, "--runtime", where)
        assert outcome.code == 2
        assert outcome.one_line().rstrip().endswith(remedy)


def test_image_without_dockerfile_has_no_build_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "is_engine_missing", lambda: False)
    monkeypatch.setattr(container, "has_image", lambda _: False)
    custom_solver = with_program(replace(solvers.load("clasp"), name="own"), image="own")
    assert container.remedy(custom_solver).startswith(
        "build or pull boardsat/own:latest: there is no folder"
    )
    assert container.remedy(solvers.load("clasp")) == container.BUILD


@pytest.mark.parametrize(
    ("name", "package", "library", "version"),
    [
        ("cadical", "python-sat", "cadical195", "1.9.5 (python-sat 7.0)"),
        ("cadical300", "python-sat", "cadical300", "3.0.0 (python-sat 7.0)"),
        ("minisat", "python-sat", "minisat22", "2.2 (python-sat 7.0)"),
        ("lingeling", "python-sat", "lingeling", "(python-sat 7.0)"),
        ("enumeration", "python-sat", "cadical195", "with cadical 1.9.5 (python-sat 7.0)"),
        ("ganak", "pyganak", "", "7.0 (pyganak)"),
        ("clingo", "clingo", "", "7.0"),
        ("frontier", "boardsat", "", "of boardsat 7.0"),
    ],
)
def test_version_does_not_repeat_the_solver_name(
    name: str, package: str, library: str, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "package_version", lambda _: "7.0")
    solver = with_library(
        replace(solvers.load("cadical"), name=name), package=package, name=library
    )
    assert embedded.version(solver) == version


def test_unknown_version_is_marked() -> None:
    answer = run_solver.run_solver(
        solvers.load("cadical"),
        "embedded",
        Task(str(Path(__file__).parents[1] / "recorded/sat.cnf")),
        25,
    )
    run = replace(answer.run, version="unknown")
    assert run.description == "cadical (version unknown), embedded"


# Words.


def test_help_lists_accepted_problem_forms() -> None:
    for command, suffixes in (
        ("solve", ("tour/binary", ".yaml", ".cnf", ".lp")),
        ("count", ("tour/binary", ".yaml", ".cnf")),
        ("cnf", ("tour/binary", ".yaml")),
    ):
        help_text = boardsat(command, "--help").out.split("positional arguments:")[1]
        help_text = help_text.split("options:")[0]
        assert all(token in help_text for token in suffixes), help_text
        assert (".lp" in help_text) == (".lp" in suffixes)


def test_graph_setting_accepts_at_sign_file(tmp_path: Path) -> None:
    graph = Path(__file__).parents[1] / "graphs/triangle.txt"
    outcome = boardsat("solve", "hamilton", "--set", f"graph=@{graph}", "--json", *HERE)
    assert outcome.code == 10
    assert json.loads(outcome.out)["instance"]["settings"]["graph"]["file"] == "triangle.txt"
    broken = tmp_path / "broken"
    broken.write_text("0 1\n1 x\n" + "2 3\n" * 1000)
    outcome = boardsat("solve", "hamilton", "--set", f"graph=@{broken}")
    assert outcome.code == 2 and len(outcome.one_line()) < 200
    assert outcome.err.startswith(f"boardsat: {broken}:2: 'x' is a name, but other vertices have ")


def test_error_of_long_setting_shows_only_its_name() -> None:
    assert setting_location("givens", "1...\n....\n") == "givens"
    assert setting_location("n", 5) == "n=5"


def test_reason_of_unknown_verdict_is_printed_once() -> None:
    silent = tuple(consensus._unchecked_encodings([], ["binary", "unary"]))
    assert silent == ("no solver answered on binary, unary",)
    verdict = consensus.Verdict(consensus.Consensus.UNDECIDED, (*silent, "another"), silent, ())
    outcome = SimpleNamespace(verdict=verdict, omitted=(), skipped=())
    assert list(result.details(outcome)) == ["another"]  # type: ignore[arg-type]


def test_large_formula_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("solve", "sudoku", "-n", 2, *HERE)
    assert boardsat(*arguments).err == ""
    monkeypatch.setattr(_announced_input, "LARGE_FORMULA_CLAUSES", 400)
    outcome = boardsat(*arguments)
    assert outcome.code == 10
    assert outcome.err == "boardsat: sudoku-4x4-direct: 64 variables, 448 clauses\n"


def test_answer_to_another_formula_is_rejected(tmp_path: Path) -> None:
    foreign_answer = tmp_path / "other.json"
    foreign_answer.write_text(boardsat("solve", "queens", "-n", 4, "--json", *HERE).out)
    outcome = boardsat("decode", instance(tmp_path, "queens/squares", n=5), foreign_answer)
    assert outcome.code == 2
    assert "another formula: its model has 16 variables, the file has 25" in outcome.err


def test_error_names_only_the_faulty_setting() -> None:
    outcome = boardsat("size", "tour", "-n", 6, "--set", "moves=horse")
    assert outcome.one_line().startswith("boardsat: --set moves=horse: no leaper 'horse'")

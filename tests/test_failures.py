"""Failures tell the truth: no trust by content, nothing lost, no option without effect."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver
from running import Said, boardsat, instance

from boardsat.adapters import calling
from boardsat.adapters.dimacs import copies
from boardsat.adapters.drawing import svg
from boardsat.adapters.runtimes import Task
from boardsat.problem import open_problem
from boardsat.solving.asking import SolveRequest, ask

HERE = ("--runtime", "embedded", "--solver", "minisat")

SMALL = "p cnf 2 1\n1 2 0\n"

BROKEN = {
    "p cnf 2 1\n1 3 0\n": "literal 3 but the header declares 2 variables",
    "p cnf 2 2\n1 2 0\n": "the file ends after 1 clause but the header declares 2",
    "p cnf 2 1\n1 2 0\n-1 0\n": "clause 2 but the header declares 1 clause",
    "p cnf 2 1\n1 2": "the last clause has no 0",
}


def file(folder: Path, text: str, name: str = "x.cnf") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def answer_to(path: object) -> str:
    with Solver("minisat22", bootstrap_with=CNF(from_file=str(path))) as solver:
        assert solver.solve()
        return f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n"


def refused(*words: object) -> str:
    said = boardsat(*words)
    assert said.code == 2, said
    return said.one_line()


# What reaches a solver.


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that solvers were given."""
    files: list[str] = []
    original = calling.solve

    def spy(solver: Any, where: str, task: Task, *others: Any) -> Any:
        files.append(Path(task.file).read_text())
        return original(solver, where, task, *others)

    monkeypatch.setattr(calling, "solve", spy)
    return files


@pytest.mark.parametrize(
    "first",
    [
        'c boardsat {"a": 1}',
        'c boardsat {"format": 1}',
        'c boardsat {"format": 1, "spec": "tour/binary"}',
        "c somebody",
    ],
)
def test_no_file_is_trusted_for_what_it_says(first: str, seen: list[str], tmp_path: Path) -> None:
    text = f"{first}\nc --unsat\nc a cnf 1 2\n{SMALL}"
    assert boardsat("solve", file(tmp_path, text), *HERE).code == 10
    assert seen == [SMALL]


def test_the_file_that_was_just_written_goes_as_it_is(seen: list[str], tmp_path: Path) -> None:
    assert boardsat("solve", "queens", "-n", 4, *HERE).code == 10
    assert seen[0].startswith("c boardsat ")
    path = instance(tmp_path, "queens/squares", n=4)
    assert ask(open_problem(path), SolveRequest("minisat", "embedded")).status.value == 10
    assert seen[1].startswith("p cnf 16 ")
    # A file without comments needs no copy.
    problem = open_problem(str(file(tmp_path, SMALL)))
    with copies.plain(problem.summary, problem.path, problem.trusted) as plain:
        assert plain == problem.path


# Broken files.


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_file_is_refused_or_noted(text: str, tmp_path: Path) -> None:
    path = file(tmp_path, text)
    answer = file(tmp_path, "s SATISFIABLE\nv 1 2 3 0\n" if "3" in text else "v -1 2 0\n", "answer")
    fault = BROKEN[text]
    for words in (("solve", path), ("count", path), ("projection", path), ("check", path, answer)):
        line = refused(*words)
        assert fault in line and "--lenient" in line
    said = boardsat("check", path, answer, "--lenient")
    assert said.code == 0 and f"note: {path}:" in said.out and fault in said.out
    said = boardsat("solve", path, "--lenient", *HERE)
    assert said.code == 10 and fault in said.out.splitlines()[-1]
    assert (
        fault in json.loads(boardsat("solve", path, "--lenient", "--json", *HERE).out)["notes"][0]
    )


def test_matters_of_form_are_no_fault(tmp_path: Path) -> None:
    """Files of SATLIB end with a percent sign, and others have tabs or clauses over lines."""
    path = file(tmp_path, "p cnf  2 2\r\n1\t2 0 -1\n2 0\n%\n0\n")
    said = boardsat("solve", path, *HERE)
    assert said.code == 10 and "note" not in said.out


# Nothing is lost.


TARGETS = {
    "no such folder": lambda folder: folder / "nowhere" / "x",
    "a folder": lambda folder: folder,
    "another format": lambda folder: folder / "x.png",
}


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
@pytest.mark.parametrize("option", ["--svg", "-o", "--keep"])
def test_where_to_write_is_looked_at_before_the_work(
    option: str, target: Callable[[Path], Path], seen: list[str], tmp_path: Path
) -> None:
    refused("solve", "queens", "-n", 4, *HERE, option, target(tmp_path))
    assert seen == []


def test_so_it_is_for_other_commands(tmp_path: Path) -> None:
    path = instance(tmp_path, "queens/squares", n=4)
    answer = file(tmp_path, answer_to(path), "answer")
    nowhere = tmp_path / "nowhere" / "x"
    assert "folder does not exist" in refused("decode", path, answer, "--svg", nowhere)
    assert "folder does not exist" in refused("validate", path, "--html", nowhere)
    # An encoding that is not there would be told first, if the work had begun.
    for words in (("cnf", "tour", "--enc", "x"), ("lp", "nothing")):
        assert "folder does not exist" in refused(*words, "-o", nowhere)
        assert "there is no folder 'nowhere'" in refused(*words, "-o", f"{nowhere}/")


@pytest.mark.parametrize("ending", ["lrat", "frat", "cnf", "gz", "LRAT"])
def test_a_proof_is_not_called_what_it_is_not(ending: str) -> None:
    line = refused("solve", "tour", "--enc", "binary", "-n", 5, "--keep", f"proof.{ending}")
    assert f"--keep writes a DRAT proof, and .{ending.lower()} names something else" in line


def fails(*_: object) -> str:
    raise OSError(28, "No space left on device", "picture")


def test_a_picture_that_fails_does_not_take_the_answer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = instance(tmp_path, "queens/squares", n=4)
    answer = file(tmp_path, answer_to(path), "answer")
    monkeypatch.setattr(svg, "svg", fails)
    target = tmp_path / "x.svg"
    for words in (("solve", path, *HERE), ("decode", path, answer)):
        said = boardsat(*words, "--svg", target)
        assert said.code == 2
        assert "Q" in said.out and said.err.count("\n") == 1 and "No space left" in said.err
        assert not target.exists()


def test_a_reader_who_has_seen_enough_does_not_take_the_picture(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def closed(*_: Any, **__: Any) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("boardsat.commands.solve._show", closed)
    target = tmp_path / "queens.svg"
    boardsat("solve", "queens", "-n", 4, "--runtime", "embedded", "--svg", target)
    assert target.read_text().startswith("<svg")


@pytest.mark.parametrize("option", ["--svg", "--keep", "-o"])
def test_a_file_without_a_name_is_refused(option: str) -> None:
    said = boardsat("solve", "queens", "-n", 4, option, "")
    assert said.code == 2 and "no file is named" in said.one_line()


def test_a_value_from_a_file_may_have_a_byte_order_mark(tmp_path: Path) -> None:
    givens = tmp_path / "givens.txt"
    givens.write_text("1...\n....\n....\n....\n", "utf-8-sig")
    said = boardsat("size", "latin/direct", "-n", 4, "--set", f"givens=@{givens}")
    assert said.code == 0, said.err


def test_a_formula_that_cannot_be_saved_does_not_take_the_answer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("boardsat.solving.saving.write_file", fails)
    said = boardsat("solve", "queens", "-n", 4, *HERE, "-o", tmp_path / "x.cnf")
    assert said.code == 2 and "Q" in said.out and "No space left" in said.err


def test_models_that_were_found_are_shown_if_the_next_one_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from boardsat.adapters.errors import AdapterError

    original, calls = calling.solve, []

    def second_fails(*words: Any) -> Any:
        calls.append(words)
        if len(calls) > 1:
            raise AdapterError("the engine is gone", "start it")
        return original(*words)

    monkeypatch.setattr(calling, "solve", second_fails)
    said = boardsat("solve", "queens", "-n", 4, *HERE, "--models", 3)
    assert said.code == 2 and said.out.count("SATISFIABLE") == 1 and "Q" in said.out
    assert said.err == "boardsat: the engine is gone; start it\n"


# Options that cannot apply.


GENERATING = [
    *(("--enc", "binary"), ("-n", 5), ("--set", "n=5"), ("--projection", "none")),
    *(("--propagate",), ("--three-cnf",), ("--shuffle", 1)),
]


@pytest.mark.parametrize("option", GENERATING, ids=lambda option: option[0])
@pytest.mark.parametrize("command", ["solve", "count", "projection", "validate"])
def test_nothing_is_generated_from_a_file(
    command: str, option: tuple[object, ...], tmp_path: Path
) -> None:
    path = file(tmp_path, SMALL)
    if command == "validate" and option[0] not in ("--enc", "-n", "--set"):
        return
    assert f"{option[0]}: {path} is a file" in refused(command, path, *option)


@pytest.mark.parametrize("option", GENERATING, ids=lambda option: option[0])
def test_nothing_is_generated_from_a_program_or_for_a_board(
    option: tuple[object, ...], tmp_path: Path
) -> None:
    program = tmp_path / "x.lp"
    assert boardsat("lp", "tour", "-n", 6, "-o", program).code == 0
    assert f"{option[0]}: " in refused("solve", program, "--solver", "clingo", *option)
    path = instance(tmp_path, "tour/unary", rows=5, cols=6)
    assert f"{option[0]}: " in refused("solve", path, "--solver", "warnsdorff", *option)


def test_only_files_are_read_leniently(tmp_path: Path) -> None:
    fault = "--lenient: only a DIMACS file is read leniently"
    for words in (("solve", "queens"), ("count", "queens"), ("projection", "queens")):
        assert fault in refused(*words, "-n", 4, "--lenient")
    for solver in ("clingo", "warnsdorff"):
        assert fault in refused("solve", "tour", "-n", 6, "--solver", solver, "--lenient")
    program = tmp_path / "x.lp"
    assert boardsat("lp", "tour", "-n", 6, "-o", program).code == 0
    assert fault in refused("decode", program, tmp_path / "answer", "--lenient")


def test_a_solver_that_cannot_do_it_is_refused_even_if_it_would_not_be_asked(
    tmp_path: Path,
) -> None:
    path = file(tmp_path, SMALL)
    for solver in ("clingo", "warnsdorff"):
        assert "reads no formulas" in refused("projection", path, "--solver", solver)
    assert "does not decide" in refused("projection", path, "--solver", "drat-trim")
    board = ("solve", "tour", "-n", 6, "--solver", "warnsdorff")
    assert "reads no logic programs" in refused(*board, "--method", "reachability")
    assert "writes no proofs" in refused(*board, "--proof")
    assert "decides no formula" in refused(*board, "-o", tmp_path / "y.cnf")


def test_options_of_estimates_are_not_for_exact_counters() -> None:
    exact = ("count", "queens", "-n", 4, "--counter", "enumeration")
    for option in ("--epsilon", "--delta"):
        assert f"{option}: enumeration counts exactly" in refused(*exact, option, 0.5)
    assert "--repeat: enumeration takes no seed" in refused(*exact, "--repeat", 2)
    assert "no solver 'aproxmc'" in refused(*exact, "--referee", "aproxmc")
    board = ("count", "tour", "--set", "rows=5", "--set", "cols=6", "--counter", "frontier")
    for words in (("--shuffle", 1), ("--propagate",), ("--three-cnf",), ("--projection", "none")):
        assert f"{words[0]}: frontier reads no formula" in refused(*board, *words)
    assert "--any-projection: frontier" in refused(*board, "--any-projection")


def test_a_count_says_what_is_wrong_with_the_file(tmp_path: Path) -> None:
    path = file(tmp_path, "p cnf 2 1\n1 3 0\n")
    words = ("count", path, "--lenient", "--counter", "enumeration", "--runtime", "embedded")
    said = boardsat(*words)
    assert said.code == 0 and "literal 3 but the header" in said.out.splitlines()[-1]
    assert "literal 3" in json.loads(boardsat(*words, "--json").out)["notes"][0]


# The exit codes of `check`.


def checked(folder: Path, formula: str, answer: str, *proof: object) -> Said:
    return boardsat("check", file(folder, formula), file(folder, answer, "answer"), *proof)


def test_check_says_right_wrong_or_bad_by_its_exit_code(tmp_path: Path) -> None:
    assert checked(tmp_path, SMALL, "s SATISFIABLE\nv 1 0\n").code == 0
    assert checked(tmp_path, SMALL, "s SATISFIABLE\nv -1 -2 0\n").code == 1
    assert checked(tmp_path, SMALL, "s UNSATISFIABLE\n").code == 2
    assert checked(tmp_path, SMALL, "hello\n").code == 2
    told = " ".join(boardsat("check", "--help").out.split())
    assert "0 the answer or the proof is right" in told
    assert "1 the answer or the proof is wrong" in told


def test_a_proof_beside_a_model_is_an_error(tmp_path: Path) -> None:
    proof = file(tmp_path, "0\n", "proof")
    said = checked(tmp_path, SMALL, "s SATISFIABLE\nv 1 0\n", proof)
    assert said.code == 2 and "the answer is not UNSATISFIABLE" in said.one_line()


@pytest.mark.parametrize(
    "text",
    [
        "c t wmc\np cnf 2 1\n1 2 0\n",
        "c t pwmc\np cnf 2 1\nc p show 1 0\n1 2 0\n",
        "p cnf 2 1\nc p weight 1 0.3 0\n1 2 0\n",
    ],
)
def test_weights_are_not_dropped(text: str, tmp_path: Path) -> None:
    path = file(tmp_path, text)
    for counter in ("enumeration", "approxmc"):
        line = refused("count", path, "--counter", counter)
        assert "its models have weights, and no counter here supports weights" in line
    assert boardsat("solve", path, *HERE).code == 10


# What is to be kept is there.


def test_a_file_to_keep_outlives_the_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The solver lies about a formula that was written for it alone."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    original = calling.solve

    def liar(*words: Any) -> Any:
        answer = original(*words)
        return replace(answer, model=-answer.model)

    monkeypatch.setattr(calling, "solve", liar)
    said = boardsat("solve", "queens", "-n", 4, *HERE)
    assert said.code == 1 and "WRONG MODEL" in said.err and "keep the file" in said.err
    kept = Path(said.err.split(": ")[1])
    assert kept.read_text().startswith("c boardsat ") and kept.is_relative_to(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [kept.parent.name], "nothing else is left"
    # A file of the user stays where it is.
    path = instance(tmp_path, "queens/squares", n=4)
    assert f"boardsat: {path}: WRONG MODEL" in boardsat("solve", path, *HERE).err

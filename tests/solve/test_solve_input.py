"""Invalid input of solve, decode and check, and the list of solvers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.formulas import examples
from helpers.solutions import SAT, UNSAT, USE_EMBEDDED
from helpers.solver_runs import (
    boardsat,
    finish,
    instance,
    start,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardsat.adapters import solvers
from boardsat.adapters.runtimes import RUNTIME_NAMES

# Bad input.


@pytest.fixture
def bad_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "bad.cnf"
    if request.param == "folder":
        path.mkdir()
    elif request.param == "zeros":
        with path.open("wb") as file:
            file.truncate(2**30)
    elif request.param != "missing":
        path.write_bytes(request.param)
    return path


@pytest.mark.parametrize(
    "bad_file",
    ["folder", "zeros", "missing", b"", b"hello\n", b"p cnf 1\n", b"p cnf 1 1\n1 x 0\n", b"\xff"],
    indirect=True,
    ids=["folder", "zeros", "missing", "empty", "text", "header", "word", "binary"],
)
def test_invalid_formula_file_is_one_line(bad_file: Path, tmp_path: Path) -> None:
    (tmp_path / "answer").write_text("s SATISFIABLE\nv 1 0\n")
    for arguments in (("solve",), ("check", tmp_path / "answer"), ("decode", tmp_path / "answer")):
        output = boardsat(arguments[0], bad_file, *arguments[1:])
        assert output.code == 2
        assert output.one_line().startswith(f"boardsat: {bad_file}:")


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (b"", "has no model: it says nothing"),
        (b"s UNKNOWN\n", "has no model: it says UNKNOWN"),
        (b"s SATISFIABLE\n", "has no model: it says SATISFIABLE"),
        (b"s SATISFIABLE\nv 1 2\n", "ends without"),
        (b"s SATISFIABLE\nv 1 -1 0\n", "both true and false"),
        (b"s SATISFIABLE\ns UNSATISFIABLE\n", "two different answers"),
        (b"s NONE\n", "states 'NONE'"),
        (b"\0" * 3000, "has no model"),
        ("folder", "cannot read the answer"),
        ("missing", "cannot read the answer"),
    ],
)
def test_invalid_answer_is_one_line(answer: bytes | str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "answer"
    if answer == "folder":
        path.mkdir()
    elif isinstance(answer, bytes):
        path.write_bytes(answer)
    for command in ("check", "decode"):
        output = boardsat(command, SAT, path)
        assert output.code == 2
        assert complaint in output.one_line()


def test_check_unsat_without_proof_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "answer").write_text("s UNSATISFIABLE\n")
    output = boardsat("check", UNSAT, tmp_path / "answer")
    assert output.code == 2 and "only be checked with a proof" in output.one_line()


def test_missing_proof_file_is_one_line(checker: None, tmp_path: Path) -> None:
    (tmp_path / "answer").write_text("s UNSATISFIABLE\n")
    output = boardsat("check", UNSAT, tmp_path / "answer", tmp_path / "proof")
    assert output.code == 2 and str(tmp_path / "proof") in output.one_line()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--solver", "cadicl"], "no solver 'cadicl'; did you mean 'cadical'?"),
        (
            ["--solver", "drat-trim"],
            "drat-trim does not solve formulas; choose backtracking, cadical",
        ),
        (
            ["--solver", "minisat", "--proof"],
            "minisat does not write proofs about formulas; choose",
        ),
        (["--runtime", "embedded", "--proof"], "cadical (embedded) does not write proofs"),
        (["--runtime", "embedded", "--solver", "clasp"], "not embedded"),
        (["--runtime", "moon"], "--runtime must be one of auto, docker, "),
        (["--timeout", "0"], "must be a number from"),
        (["--timeout", "nan"], "must be a number from"),
        (["--timeout", "soon"], "must be a number from"),
        (["--cpu", "-1"], "must be a number from"),
        (["--memory", "0"], "must be a number from"),
        (["--seed", "-1"], "must be a number from"),
        (["--models", "0"], "must be a number from"),
    ],
)
def test_invalid_option_is_one_line(arguments: list[str], complaint: str) -> None:
    output = boardsat("solve", SAT, *arguments)
    assert output.code == 2
    assert complaint in output.one_line()


def test_unwritable_target_is_one_line(tmp_path: Path) -> None:
    output = boardsat("solve", "queens", "-n", 5, "--svg", tmp_path / "no" / "x.svg", *USE_EMBEDDED)
    assert output.code == 2 and "the target's folder does not exist" in output.one_line()


@pytest.fixture(scope="module")
def small_queens(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines of a file."""
    file = instance(tmp_path_factory.mktemp("queens"), "queens/squares", n=4)
    return Path(file).read_text().splitlines(keepends=True)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], parent=examples(80))
@given(data=st.data())
def test_false_header_is_one_line(
    data: st.DataObject, small_queens: list[str], tmp_path: Path
) -> None:
    """False comments never cause a traceback."""
    lines = list(small_queens)
    head = [k for k, line in enumerate(lines) if line.startswith("c ")]
    index = data.draw(st.sampled_from(head))
    line = lines[index]
    cut = data.draw(st.integers(2, len(line) - 1))
    end = line[cut + data.draw(st.integers(0, 3)) :].rstrip("\n")
    inserted = data.draw(st.sampled_from(["", "0", "9", "-", "[", "}", '"', " ", ", null", "1e9"]))
    lines[index] = f"{line[:cut]}{inserted}{end}\n"
    file = tmp_path / "lies.cnf"
    file.write_text("".join(lines))
    (tmp_path / "answer").write_text("v 2 8 9 15 0\n")
    output = boardsat("decode", file, tmp_path / "answer")
    assert output.code in (0, 1, 2)
    if output.code:
        output.one_line()


# List of solvers.


def test_solvers_lists_every_solver_and_runtime() -> None:
    output = boardsat("solvers")
    assert output.code == 0
    result = json.loads(boardsat("solvers", "--json").out)
    assert [solver["name"] for solver in result] == solvers.names()
    for solver in result:
        assert solver["name"] in output.out
        assert set(solver["runtimes"]) == set(RUNTIME_NAMES)
        for entry in solver["runtimes"].values():
            assert entry.get("version") or entry.get("reason")


def test_solvers_command_works_without_container_engine() -> None:
    output = finish(start("solvers", DOCKER_HOST="unix:///nonexistent/docker.sock"))
    assert (output.code, output.err) == (0, "")
    assert "no Docker" in output.out


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "not a mapping"),
        ("title: x\n", "missing keys"),
        ("{title: x, program: x, command: x, dialect: drat, can: fly}", "no capability 'fly'"),
        ("{title: x, program: x, command: x, dialect: klingon, can: decide}", "no dialect"),
    ],
)
def test_invalid_solver_file_is_one_line(
    text: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.yaml").write_text(text)
    monkeypatch.setattr(solvers, "FOLDER", tmp_path)
    output = boardsat("solve", SAT, "--solver", "bad")
    assert output.code == 2
    assert output.one_line().startswith("boardsat: adapters/solvers/bad.yaml:")
    assert complaint in output.err

"""Options that cannot apply, the exit codes of `check`, and what is kept."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.bad_commands import HERE, SMALL, file, refused
from helpers.solver_runs import CommandOutput, boardsat, instance

from boardsat.adapters import run_solver

# Options that cannot apply.


GENERATING = [
    *(("--encoding", "binary"), ("-n", 5), ("--set", "n=5"), ("--projection", "none")),
    *(("--propagate",), ("--three-cnf",), ("--shuffle", 1), ("--break-symmetry",)),
]


@pytest.mark.parametrize("option", GENERATING, ids=lambda option: option[0])
@pytest.mark.parametrize("command", ["solve", "count", "projection", "validate"])
def test_generator_options_for_formula_file_are_rejected(
    command: str, option: tuple[object, ...], tmp_path: Path
) -> None:
    path = file(tmp_path, SMALL)
    if command == "validate" and option[0] not in ("--encoding", "-n", "--set"):
        return
    assert f"{option[0]}: {path} is a formula file" in refused(command, path, *option)


@pytest.mark.parametrize("option", GENERATING, ids=lambda option: option[0])
def test_generator_options_for_program_or_board_are_rejected(
    option: tuple[object, ...], tmp_path: Path
) -> None:
    program = tmp_path / "x.lp"
    assert boardsat("asp", "tour", "-n", 6, "-o", program).code == 0
    assert f"{option[0]}: " in refused("solve", program, "--solver", "clingo", *option)
    path = instance(tmp_path, "tour/unary", rows=5, cols=6)
    assert f"{option[0]}: " in refused("solve", path, "--solver", "warnsdorff", *option)


def test_lenient_without_dimacs_file_is_rejected(tmp_path: Path) -> None:
    fault = "--lenient applies only to a DIMACS file"
    for arguments in (("solve", "queens"), ("count", "queens"), ("projection", "queens")):
        assert fault in refused(*arguments, "-n", 4, "--lenient")
    for solver in ("clingo", "warnsdorff"):
        assert fault in refused("solve", "tour", "-n", 6, "--solver", solver, "--lenient")
    program = tmp_path / "x.lp"
    assert boardsat("asp", "tour", "-n", 6, "-o", program).code == 0
    assert fault in refused("decode", program, tmp_path / "answer", "--lenient")


def test_unsuitable_solver_is_rejected_even_if_unused(
    tmp_path: Path,
) -> None:
    path = file(tmp_path, SMALL)
    for solver in ("clingo", "warnsdorff"):
        assert "does not solve CNF formulas; choose cadical" in refused(
            "projection", path, "--solver", solver
        )
    assert "drat-trim does not solve formulas; choose" in refused(
        "projection", path, "--solver", "drat-trim"
    )
    board = ("solve", "tour", "-n", 6, "--solver", "warnsdorff")
    assert "does not solve logic programs; choose clingo" in refused(
        *board, "--method", "reachability"
    )
    assert "does not write proofs about formulas; choose cadical" in refused(*board, "--proof")
    assert "does not read a formula" in refused(*board, "-o", tmp_path / "y.cnf")


def test_estimate_options_for_exact_counter_are_rejected() -> None:
    exact = ("count", "queens", "-n", 4, "--counter", "enumeration")
    for option in ("--epsilon", "--delta"):
        fault = f"{option}: {option[2:]} requires a counter that estimates (got enumeration)"
        assert fault in refused(*exact, option, 0.5)
    assert "--repeat: enumeration takes no seed" in refused(*exact, "--repeat", 2)
    assert "no solver 'aproxmc'" in refused(*exact, "--reference", "aproxmc")
    board = ("count", "tour", "--set", "rows=5", "--set", "cols=6", "--counter", "frontier")
    for arguments in (
        ("--shuffle", 1),
        ("--propagate",),
        ("--three-cnf",),
        ("--projection", "none"),
    ):
        assert f"{arguments[0]}: frontier does not read a formula" in refused(*board, *arguments)
    assert "--allow-invalid-projection: frontier" in refused(*board, "--allow-invalid-projection")


def test_count_lenient_notes_the_fault_of_the_file(tmp_path: Path) -> None:
    path = file(tmp_path, "p cnf 2 1\n1 3 0\n")
    arguments = ("count", path, "--lenient", "--counter", "enumeration", "--runtime", "embedded")
    outcome = boardsat(*arguments)
    assert (
        outcome.code == 0 and "declares 2 variables (got literal 3)" in outcome.out.splitlines()[-1]
    )
    assert "literal 3" in json.loads(boardsat(*arguments, "--json").out)["notes"][0]


# The exit codes of `check`.


def checked(folder: Path, formula: str, answer: str, *proof: object) -> CommandOutput:
    return boardsat("check", file(folder, formula), file(folder, answer, "answer"), *proof)


def test_check_exit_code_is_correct_wrong_or_bad_input(tmp_path: Path) -> None:
    assert checked(tmp_path, SMALL, "s SATISFIABLE\nv 1 0\n").code == 0
    assert checked(tmp_path, SMALL, "s SATISFIABLE\nv -1 -2 0\n").code == 1
    assert checked(tmp_path, SMALL, "s UNSATISFIABLE\n").code == 2
    assert checked(tmp_path, SMALL, "hello\n").code == 2
    help_text = " ".join(boardsat("check", "--help").out.split())
    assert "0 the answer or the proof is right" in help_text
    assert "1 the answer or the proof is wrong" in help_text


def test_check_of_model_with_proof_is_rejected(tmp_path: Path) -> None:
    proof = file(tmp_path, "0\n", "proof")
    outcome = checked(tmp_path, SMALL, "s SATISFIABLE\nv 1 0\n", proof)
    assert outcome.code == 2 and "the answer is not UNSATISFIABLE" in outcome.one_line()


# What is to be kept is there.


def test_formula_of_wrong_answer_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The solver lies about a formula that was written for it alone."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    original = run_solver.run_solver

    def liar(*arguments: Any) -> Any:
        answer = original(*arguments)
        return replace(answer, model=-answer.model)

    monkeypatch.setattr(run_solver, "run_solver", liar)
    outcome = boardsat("solve", "queens", "-n", 4, *HERE)
    assert outcome.code == 1 and "WRONG MODEL" in outcome.err and "keep the file" in outcome.err
    formula_file = Path(outcome.err.split(": ")[1])
    assert formula_file.read_text().startswith("c boardsat ") and formula_file.is_relative_to(
        tmp_path
    )
    assert [path.name for path in tmp_path.iterdir()] == [formula_file.parent.name], (
        "nothing else is left"
    )
    # A file of the user stays where it is.
    path = instance(tmp_path, "queens/squares", n=4)
    assert f"boardsat: {path}: WRONG MODEL" in boardsat("solve", path, *HERE).err

"""Wrong models, boards, proofs and solvers are reported as errors."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
from helpers.formulas import examples
from helpers.solutions import HARD, RECORDED, SAT, UNSAT, solver_output
from helpers.solver_runs import (
    boardsat,
    instance,
)
from hypothesis import given
from hypothesis import strategies as st

from boardsat.adapters import solvers
from boardsat.adapters.dimacs import model_check, rewrite
from boardsat.instance.formula_file import open_formula

# Wrong answers.


@pytest.fixture
def tour(tmp_path: Path) -> tuple[str, str]:
    """A file, and a right answer to it."""
    file = instance(tmp_path, "tour/binary", rows=5, cols=6)
    return file, solver_output(file)


def flipped(answer: str, index: int) -> str:
    arguments = answer.split(" ")
    literals = [k for k, token in enumerate(arguments) if token.strip("-\nv").isdigit()]
    k = literals[index]
    arguments[k] = arguments[k][1:] if arguments[k].startswith("-") else f"-{arguments[k]}"
    return " ".join(arguments)


@pytest.mark.parametrize("command", ["check", "decode"])
def test_model_with_flipped_literal_is_rejected(
    command: str, tour: tuple[str, str], tmp_path: Path
) -> None:
    file, answer = tour
    (tmp_path / "answer").write_text(answer)
    assert boardsat(command, file, tmp_path / "answer").code in (0, 10)
    for index in (0, 17, 100):
        (tmp_path / "answer").write_text(flipped(answer, index))
        output = boardsat(command, file, tmp_path / "answer")
        assert output.code == 1
        assert "WRONG MODEL from" in output.one_line() and "is false" in output.err


@pytest.mark.parametrize("command", ["check", "decode"])
def test_model_of_another_formula_is_rejected(
    command: str, tour: tuple[str, str], tmp_path: Path
) -> None:
    file, answer = tour
    larger = instance(tmp_path, "tour/unary", rows=5, cols=6)
    (tmp_path / "answer").write_text(solver_output(larger))
    output = boardsat(command, file, tmp_path / "answer")
    assert output.code == 2 and "literals or more, but the formula has" in output.one_line()
    smaller = instance(tmp_path, "queens/squares", n=6)
    (tmp_path / "answer").write_text(solver_output(smaller))
    output = boardsat(command, file, tmp_path / "answer")
    assert output.code == 1 and "WRONG MODEL" in output.one_line()
    (tmp_path / "answer").write_text(answer.replace("\nv 0", "\nv 99999 0"))
    output = boardsat(command, file, tmp_path / "answer")
    assert output.code == 2 and "the model has variable 99999" in output.one_line()


def test_board_that_violates_the_rules_is_rejected(tour: tuple[str, str], tmp_path: Path) -> None:
    """An encoding with a bug: all that it says of the board is true, but it says too little."""
    file, _ = tour
    lines = Path(file).read_text().splitlines()
    head = [line for line in lines if line.startswith("c ")]
    size = next(line for line in lines if line.startswith("p cnf")).split()[2]
    broken = tmp_path / "broken.cnf"
    broken.write_text("\n".join([*head, f"p cnf {size} 1", f"{size} -{size} 0\n"]))
    (tmp_path / "answer").write_text("s SATISFIABLE\nv 0\n")
    for command in ("check", "decode"):
        output = boardsat(command, broken, tmp_path / "answer")
        assert output.code == 1
        assert "WRONG BOARD" in output.err


@pytest.fixture
def liar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A solver file of a program that says the same of every formula."""
    folder = tmp_path / "solvers"
    shutil.copytree(solvers.FOLDER, folder)
    program = tmp_path / "liar"
    program.write_text("#!/bin/sh\necho s SATISFIABLE\necho v 1 2 3 0\nexit 10\n")
    program.chmod(0o755)
    (folder / "liar.yaml").write_text(
        f"title: a liar\nprogram: {program}\ncommand: '{{{{ program }}}} {{{{ file }}}}'\n"
        "dialect: competition\ncan: decide\n"
    )
    monkeypatch.setattr(solvers, "FOLDER", folder)
    return "liar"


def test_false_answer_of_solver_is_rejected(liar: str) -> None:
    for file in (SAT, UNSAT):
        output = boardsat("solve", file, "--solver", liar)
        assert output.code == 1
        assert "WRONG MODEL from liar: clause " in output.one_line()


@pytest.mark.parametrize("number", [1, 2, 500, 1000])
def test_first_falsified_clause_is_reported(number: int, tmp_path: Path) -> None:
    clauses = [[v, -(v + 1), v + 2] for v in range(1, 1001)]
    clauses[number - 1] = [-number, -1002, -5]
    file = tmp_path / "one.cnf"
    text = "".join(" ".join(map(str, clause)) + " 0\n" for clause in clauses)
    file.write_text(f"p cnf 1002 1000\n{text}")
    model = np.ones(1003, np.int8)
    assert model_check.first_false_clause(str(file), model) == (number, clauses[number - 1], False)


@pytest.fixture
def settled(tmp_path: Path) -> Path:
    """A file that was written some time ago, with a clause that is true if all variables are."""
    file = tmp_path / "kept.cnf"
    file.write_text("p cnf 2 1\n1 2 0\n")
    os.utime(file, ns=(0, 0))
    time.sleep(model_check.SETTLED_NANOSECONDS / 1e9)
    return file


def test_clauses_are_cached_for_the_next_model(
    settled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true, false = np.array([0, 1, 1], np.int8), np.array([0, -1, -1], np.int8)
    assert model_check.first_false_clause(str(settled), true) is None
    monkeypatch.setattr(model_check, "open_cnf", lambda *_, **__: pytest.fail("it was read again"))
    assert model_check.first_false_clause(str(settled), true) is None
    assert model_check.first_false_clause(str(settled), false) == (1, [1, 2], False)


@pytest.mark.parametrize("is_generated", [False, True])
def test_opening_a_formula_caches_its_clauses(
    is_generated: bool, settled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_generated:
        # Nobody else writes to it, so that it need not be old.
        settled.write_text(settled.read_text())
    problem = open_formula(str(settled), generated_here=is_generated)
    monkeypatch.setattr(model_check, "open_cnf", lambda *_, **__: pytest.fail("it was read again"))
    assert model_check.first_false_clause(problem.path, np.array([0, -1, -1], np.int8)) is not None


@pytest.mark.parametrize("how", ["in place", "replaced"])
def test_clause_cache_is_invalidated_by_a_changed_file(how: str, settled: Path) -> None:
    """The changed file has the same size and modification time."""
    model = np.ones(3, np.int8)
    assert model_check.first_false_clause(str(settled), model) is None
    if how == "replaced":
        settled.unlink()
    settled.write_text("p cnf 2 1\n-1 0 \n")
    os.utime(settled, ns=(0, 0))
    assert model_check.first_false_clause(str(settled), model) == (1, [-1], False)


def test_clauses_of_a_recently_written_file_are_not_cached(settled: Path) -> None:
    """A change within the clock tick of the file system would not be detected."""
    settled.write_text(settled.read_text())
    assert model_check.first_false_clause(str(settled), np.ones(3, np.int8)) is None
    assert not model_check._cache


def test_clauses_of_a_large_file_are_not_cached(
    settled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_check, "MAX_CACHED_BYTES", 8)
    assert model_check.first_false_clause(str(settled), np.ones(3, np.int8)) is None
    assert not model_check._cache


@examples(60)
@given(
    clauses=st.lists(st.lists(st.integers(-6, 6).filter(bool), max_size=4), max_size=8),
    bits=st.lists(st.sampled_from([-1, 1]), min_size=6, max_size=6),
)
def test_model_check_agrees_with_definition(
    clauses: list[list[int]], bits: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("small") / "x.cnf"
    text = "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in clauses)
    file.write_text(f"p cnf 6 {len(clauses)}\n{text}")
    false = [
        (number, clause, False)
        for number, clause in enumerate(clauses, 1)
        if all(bits[abs(x) - 1] * x < 0 for x in clause)
    ]
    model = np.array([-1, *bits], np.int8)
    assert model_check.first_false_clause(str(file), model) == (false[0] if false else None)


@pytest.mark.parametrize(
    ("file", "proof"),
    [
        (UNSAT, "1 0\n0\n"),  # a wrong clause
        (SAT, "0\n"),  # a formula that has models
        (UNSAT, (RECORDED / "verified.drat").read_text()[:200]),  # broken off
        (HARD, (RECORDED / "verified.drat").read_text()),  # of another formula
        (UNSAT, ""),
    ],
    ids=["wrong", "satisfiable", "short", "other", "empty"],
)
def test_proof_without_empty_clause_is_rejected(
    file: str, proof: str, checker: None, tmp_path: Path
) -> None:
    (tmp_path / "answer").write_text("s UNSATISFIABLE\n")
    (tmp_path / "proof").write_text(proof)
    output = boardsat("check", file, tmp_path / "answer", tmp_path / "proof")
    assert output.code == 1
    assert "REFUTED PROOF from" in output.one_line()


def test_comments_do_not_mislead_the_proof_checker(checker: None, tmp_path: Path) -> None:
    """drat-trim takes `cnf 1 2` in a comment for the header, and then sees only two clauses."""
    file = tmp_path / "fooling.cnf"
    file.write_text("c a cnf 1 2\np cnf 2 3\n1 0\n-1 2 0\n-2 1 0\n")
    (tmp_path / "answer").write_text("s UNSATISFIABLE\n")
    (tmp_path / "proof").write_text("0\n")
    output = boardsat("check", file, tmp_path / "answer", tmp_path / "proof")
    assert output.code == 1 and "REFUTED PROOF" in output.one_line()


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_copy_without_comments_has_the_same_clauses(ending: str, tmp_path: Path) -> None:
    file = instance(tmp_path, "tour/binary", f".cnf{ending}", rows=3, cols=4)
    problem = open_formula(file)
    with rewrite.plain_copy(problem.summary, file) as plain:
        text = Path(plain).read_text()
        assert "c" not in text.replace("p cnf ", "")
        assert open_formula(plain).summary.literals == problem.summary.literals
    assert not Path(plain).exists()


def test_long_comments_are_omitted_entirely() -> None:
    blocks = [b"c one", b" 1 2 0\nc", b" two 3 0", b" 4 0\np cnf 1 1\n1 ", b"0\nc p show 1 0\n"]
    assert b"".join(map(rewrite.CommentFilter().clauses_in, blocks)) == b"1 0\n"

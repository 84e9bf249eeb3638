"""Answers without an end, and files that come through pipes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import NoReturn

import pytest
from helpers.processes import run
from helpers.solver_runs import boardsat, instance

from boardsat.adapters.proofs import PROOF_MEMORY_BYTES, PROOF_MEMORY_PER_BYTE
from boardsat.adapters.runtimes import Limits, Task
from boardsat.base.errors import SolverError
from boardsat.workflows.solve import external_answers, proofs

FORMULA = b"c x\np cnf 2 1\n1 2 0\n"
ANSWER = b"s SATISFIABLE\nv 1 0\n"


def outside(*words: object, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """In a process of its own, for it reads standard input, or has none."""
    return run(
        [sys.executable, "-m", "boardsat", *map(str, words)],
        capture_output=True,
        input=stdin,
        timeout=60,
    )


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    formula, answer = tmp_path / "f.cnf", tmp_path / "answer"
    formula.write_bytes(FORMULA)
    answer.write_bytes(ANSWER)
    return formula, answer


def fifo(path: Path, data: bytes) -> Path:
    """A named pipe to which somebody writes, once."""
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=(data,), daemon=True).start()
    return path


@pytest.mark.parametrize("name", ["/dev/zero", "endless"])
@pytest.mark.parametrize("command", ["check", "decode"])
def test_an_answer_without_an_end(
    name: str,
    command: str,
    files: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(external_answers, "MAX_ANSWER_BYTES", 2**18)
    (tmp_path / "endless").write_bytes(b'[{"status": "SATISFIABLE", "model": [' + b"1," * 2**18)
    said = boardsat(command, files[0], name if name[0] == "/" else tmp_path / name)
    assert said.code == 2
    assert "an answer to this formula must have at most" in said.one_line()


def test_a_long_answer_to_a_long_formula(tmp_path: Path) -> None:
    formula, answer = tmp_path / "f.cnf", tmp_path / "answer"
    formula.write_text("p cnf 9000 1\n1 0\n")
    answer.write_text("s SATISFIABLE\nv " + " ".join(map(str, range(1, 9001))) + " 0\nv 0\n")
    assert boardsat("check", formula, answer).code == 0


@pytest.mark.parametrize("command", ["check", "decode"])
def test_a_formula_from_a_named_pipe(
    command: str, files: tuple[Path, Path], tmp_path: Path
) -> None:
    """It is read, and then its clauses are checked."""
    assert boardsat(command, fifo(tmp_path / "pipe.cnf", FORMULA), files[1]).code == 0
    said = boardsat(command, fifo(tmp_path / "bad.cnf", b"p cnf 1 1\n"), files[1])
    assert said.one_line().startswith(f"boardsat: {tmp_path}/bad.cnf:1: ")


@pytest.mark.parametrize("command", ["solve", "count"])
def test_solvers_read_a_pipe_too(command: str, tmp_path: Path) -> None:
    file = fifo(tmp_path / "pipe.cnf", Path(instance(tmp_path, "queens/squares", n=4)).read_bytes())
    said = boardsat(command, file, "--runtime", "embedded")
    assert said.code == (10 if command == "solve" else 0), said.err


@pytest.mark.parametrize("command", ["solve", "count"])
def test_a_stream_without_an_ending_is_a_formula(command: str, tmp_path: Path) -> None:
    """What the shell writes as `<(...)`; a name that is neither stays that of a problem."""
    said = boardsat(command, fifo(tmp_path / "63", FORMULA), "--runtime", "embedded")
    assert said.code == (10 if command == "solve" else 0), said.err
    said = boardsat(command, tmp_path / "64", "--runtime", "embedded")
    assert said.code == 2 and "no problem" in said.one_line()


def test_standard_input_as_formula_or_answer(files: tuple[Path, Path]) -> None:
    formula, answer = files
    for name in ("-", "/dev/stdin"):
        assert outside("check", name, answer, stdin=FORMULA).stdout.startswith(b"the model")
    assert outside("solve", "-", "--runtime", "embedded", stdin=FORMULA).returncode == 10
    assert outside("check", formula, "-", stdin=ANSWER).returncode == 0
    both = outside("decode", "-", stdin=FORMULA)
    assert (both.returncode, both.stdout) == (2, b"")
    assert b"cannot be both" in both.stderr


def test_without_standard_input(files: tuple[Path, Path]) -> None:
    done = run(
        f"{sys.executable} -m boardsat decode {files[0]} <&-",
        shell=True,
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"the answer has no model" in done.stderr


def test_a_pipe_without_an_end(files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardsat.instance.file_types.MAX_PIPE_BYTES", 2**21)
    said = boardsat("check", "/dev/zero", files[1])
    assert said.code == 2
    assert "write it to a file first" in said.one_line()
    unsat = files[0].with_name("unsat")
    unsat.write_text("s UNSATISFIABLE\n")
    said = boardsat("check", files[0], unsat, "/dev/zero")
    assert "write it to a file first" in said.one_line()


def test_a_proof_is_checked_under_limits(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof of 12 bytes can name variable 10**9, for which drat-trim takes gigabytes."""
    seen: list[Limits] = []

    class Refusing:
        def run(self, solver: object, task: Task) -> NoReturn:
            seen.append(task.limits)
            raise SolverError("enough is seen")

    monkeypatch.setattr(proofs, "select_runtime", lambda solver: "native")
    monkeypatch.setattr(proofs, "load_runtime", lambda name: Refusing())
    formula, unsat = files[0], files[0].with_name("unsat")
    unsat.write_text("s UNSATISFIABLE\n")
    proof = files[0].with_name("proof")
    proof.write_bytes(b"0\n")
    boardsat("check", formula, unsat, proof)
    boardsat("check", formula, unsat, proof, "--memory", 100, "--timeout", 5, "--cpu", 4)
    size = len(FORMULA) + len(b"0\n")
    assert seen == [
        Limits(20000, None, PROOF_MEMORY_BYTES + PROOF_MEMORY_PER_BYTE * size),
        Limits(5, 4, 100 * 2**20),
    ]

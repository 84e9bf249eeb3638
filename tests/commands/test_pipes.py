"""Streams: pipes, standard input, endless files, and limits of proof checkers."""

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


def run_process(
    *arguments: object, stdin: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run boardsat in another process, with this standard input."""
    return run(
        [sys.executable, "-m", "boardsat", *map(str, arguments)],
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
    """Return a named pipe to which a thread writes the data once."""
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=(data,), daemon=True).start()
    return path


@pytest.mark.parametrize("name", ["/dev/zero", "endless"])
@pytest.mark.parametrize("command", ["check", "decode"])
def test_endless_answer_is_rejected(
    name: str,
    command: str,
    files: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(external_answers, "MAX_ANSWER_BYTES", 2**18)
    (tmp_path / "endless").write_bytes(b'[{"status": "SATISFIABLE", "model": [' + b"1," * 2**18)
    output = boardsat(command, files[0], name if name[0] == "/" else tmp_path / name)
    assert output.code == 2
    assert "an answer to this formula must have at most" in output.one_line()


def test_long_answer_to_long_formula_is_accepted(tmp_path: Path) -> None:
    formula, answer = tmp_path / "f.cnf", tmp_path / "answer"
    formula.write_text("p cnf 9000 1\n1 0\n")
    answer.write_text("s SATISFIABLE\nv " + " ".join(map(str, range(1, 9001))) + " 0\nv 0\n")
    assert boardsat("check", formula, answer).code == 0


@pytest.mark.parametrize("command", ["check", "decode"])
def test_formula_from_named_pipe_is_checked(
    command: str, files: tuple[Path, Path], tmp_path: Path
) -> None:
    assert boardsat(command, fifo(tmp_path / "pipe.cnf", FORMULA), files[1]).code == 0
    output = boardsat(command, fifo(tmp_path / "bad.cnf", b"p cnf 1 1\n"), files[1])
    assert output.one_line().startswith(f"boardsat: {tmp_path}/bad.cnf:1: ")


@pytest.mark.parametrize("command", ["solve", "count"])
def test_solver_reads_formula_from_named_pipe(command: str, tmp_path: Path) -> None:
    file = fifo(tmp_path / "pipe.cnf", Path(instance(tmp_path, "queens/squares", n=4)).read_bytes())
    output = boardsat(command, file, "--runtime", "embedded")
    assert output.code == (10 if command == "solve" else 0), output.err


@pytest.mark.parametrize("command", ["solve", "count"])
def test_stream_without_extension_is_formula(command: str, tmp_path: Path) -> None:
    """The shell's `<(...)` is such a stream; other names without extension are problems."""
    output = boardsat(command, fifo(tmp_path / "63", FORMULA), "--runtime", "embedded")
    assert output.code == (10 if command == "solve" else 0), output.err
    output = boardsat(command, tmp_path / "64", "--runtime", "embedded")
    assert output.code == 2 and "no problem" in output.one_line()


def test_standard_input_is_read_as_formula_or_answer(files: tuple[Path, Path]) -> None:
    formula, answer = files
    for name in ("-", "/dev/stdin"):
        assert run_process("check", name, answer, stdin=FORMULA).stdout.startswith(b"the model")
    assert run_process("solve", "-", "--runtime", "embedded", stdin=FORMULA).returncode == 10
    assert run_process("check", formula, "-", stdin=ANSWER).returncode == 0
    conflict = run_process("decode", "-", stdin=FORMULA)
    assert (conflict.returncode, conflict.stdout) == (2, b"")
    assert b"cannot be both" in conflict.stderr


def test_closed_standard_input_is_empty_answer(files: tuple[Path, Path]) -> None:
    process = run(
        f"{sys.executable} -m boardsat decode {files[0]} <&-",
        shell=True,
        capture_output=True,
        timeout=60,
    )
    assert (process.returncode, process.stdout) == (2, b"")
    assert b"the answer has no model" in process.stderr


def test_endless_stream_is_rejected(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardsat.instance.file_types.MAX_PIPE_BYTES", 2**21)
    output = boardsat("check", "/dev/zero", files[1])
    assert output.code == 2
    assert "write it to a file first" in output.one_line()
    unsat = files[0].with_name("unsat")
    unsat.write_text("s UNSATISFIABLE\n")
    output = boardsat("check", files[0], unsat, "/dev/zero")
    assert "write it to a file first" in output.one_line()


def test_proof_checker_runs_under_limits(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof of 12 bytes can name variable 10**9, for which drat-trim takes gigabytes."""
    recorded_limits: list[Limits] = []

    class RecordingRuntime:
        def run(self, solver: object, task: Task) -> NoReturn:
            recorded_limits.append(task.limits)
            raise SolverError("not run")

    monkeypatch.setattr(proofs, "select_runtime", lambda solver: "native")
    monkeypatch.setattr(proofs, "load_runtime", lambda name: RecordingRuntime())
    formula, unsat = files[0], files[0].with_name("unsat")
    unsat.write_text("s UNSATISFIABLE\n")
    proof = files[0].with_name("proof")
    proof.write_bytes(b"0\n")
    boardsat("check", formula, unsat, proof)
    boardsat("check", formula, unsat, proof, "--memory", 100, "--timeout", 5, "--cpu", 4)
    size = len(FORMULA) + len(b"0\n")
    assert recorded_limits == [
        Limits(20000, None, PROOF_MEMORY_BYTES + PROOF_MEMORY_PER_BYTE * size),
        Limits(5, 4, 100 * 2**20),
    ]

"""Stored proofs: complete, or the old file stays; the answer is printed in any case."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from helpers.answers import UNSAT
from helpers.output_files import fill
from helpers.requirements import outside
from helpers.solver_runs import boardsat, need_checked_proofs

from boardsat.adapters import run_solver
from boardsat.adapters.answer import Answer, SolverRun, Status, TerminationReason, Usage
from boardsat.adapters.solvers.solver import RuntimeName
from boardsat.base import scratch
from boardsat.base.errors import BoardsatError, SolverError, WrongAnswerError
from boardsat.instance.formula_file import open_formula
from boardsat.workflows.solve import proofs, request
from boardsat.workflows.solve.cnf import solve
from boardsat.workflows.solve.request import SolveRequest
from boardsat.workflows.solve.result import Check, CheckedAnswer

VERIFIED = None
REFUTED = WrongAnswerError("REFUTED PROOF", "keep the file")
UNFINISHED = SolverError("the proof was not checked (time limit)", "give more time")


@dataclass
class Staged:
    """A solver that refutes and writes a proof, and what the checker finds."""

    target: Path
    verdict: BoardsatError | None = VERIFIED
    proof_error: BoardsatError | None = None
    writes: bool = True
    status: Status = Status.UNSATISFIABLE
    where: str = ""

    def answer(self, _solver: object, _where: object, task: object, *_: object) -> Answer:
        self.where = str(task.written_proof)  # type: ignore[attr-defined]
        if self.writes and not self.proof_error:
            Path(self.where).write_text("new proof")
        usage = Usage(0.0, 0.0, 0)
        return Answer(
            self.status,
            "",
            SolverRun(
                "x",
                "1",
                "native",
                TerminationReason.FINISHED,
                20,
                usage,
                proof_error=self.proof_error,
            ),
        )

    def check(self, *_: object) -> None:
        if self.verdict is not None:
            raise self.verdict
        if self.proof_error or not self.writes:
            raise SolverError("cannot read the proof")

    def solve(self) -> CheckedAnswer:
        return solve(open_formula(UNSAT), SolveRequest("cadical", proof=str(self.target)))


@pytest.fixture
def staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Staged:
    target = tmp_path / "p.drat"
    target.write_text("old proof")
    stage = Staged(target)
    monkeypatch.setattr(request, "select_runtime", lambda *_: RuntimeName.NATIVE)
    monkeypatch.setattr(run_solver, "run_solver", stage.answer)
    monkeypatch.setattr(proofs, "check_proof", stage.check)
    return stage


def only(staged: Staged, content: str) -> None:
    """The proof has that content, and nothing is beside it."""
    assert staged.target.read_text() == content
    assert list(staged.target.parent.iterdir()) == [staged.target]


def test_verified_proof_replaces_the_old_file(staged: Staged) -> None:
    assert staged.solve().checked == (Check.PROOF,)
    only(staged, "new proof")
    # It was written on the same disk, where there may be more room than for temporary files.
    assert Path(staged.where).parent.parent == staged.target.parent


def test_unchecked_proof_replaces_the_old_file(staged: Staged) -> None:
    staged.verdict = UNFINISHED
    assert staged.solve().failure is UNFINISHED
    only(staged, "new proof")


def test_refuted_proof_leaves_the_old_file(staged: Staged) -> None:
    staged.verdict = REFUTED
    with pytest.raises(WrongAnswerError):
        staged.solve()
    only(staged, "old proof")


def test_satisfiable_answer_leaves_the_old_file(staged: Staged) -> None:
    staged.status = Status.UNKNOWN
    staged.solve()
    only(staged, "old proof")


@pytest.mark.parametrize("verdict", [REFUTED, UNFINISHED], ids=["refuted", "unfinished"])
def test_proof_on_full_disk_is_lost_without_blaming_solver(
    staged: Staged, verdict: BoardsatError, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged.verdict = verdict
    monkeypatch.setattr(scratch, "is_full", lambda _: True)
    result = staged.solve()
    assert (result.answer.status, result.unchecked) == (Status.UNSATISFIABLE, (Check.PROOF,))
    assert str(result.failure).startswith(f"{staged.target}: the proof is lost: its disk is full; ")
    only(staged, "old proof")


def test_missing_proof_is_reported(staged: Staged) -> None:
    staged.proof_error = SolverError("No space left on device", "free some space there")
    assert str(staged.solve().failure) == (
        f"{staged.target}: the proof is lost: No space left on device; free some space there"
    )
    only(staged, "old proof")


def test_unwritten_proof_is_not_reported_as_full_disk(staged: Staged) -> None:
    staged.writes = False
    assert str(staged.solve().failure) == f"{staged.target}: x wrote no proof"
    only(staged, "old proof")


@pytest.mark.parametrize("where", ["docker", "native"])
@pytest.mark.parametrize("proof", ["", ": > $0;"], ids=["missing", "empty"])
@outside
def test_solver_that_writes_no_proof_is_reported(where: str, proof: str, tmp_path: Path) -> None:
    need_checked_proofs()
    solver = tmp_path / "silent.yaml"
    solver.write_text(
        "title: for a test\nimage: minisat\nprogram: sh\ndialect: competition\n"
        "can: decide prove\nproofs: drat\n"
        f"command: \"sh -c '{proof} echo s UNSATISFIABLE; exit 20' "
        '{{ proof }} {{ file }}"\n'
    )
    target = tmp_path / "p.drat"
    output = boardsat(
        "solve", UNSAT, "--solver", solver, "--runtime", where, "--proof-file", target
    )
    if "cannot run here" in output.err:
        pytest.skip(output.err)
    assert output.code == 2 and output.out.startswith("UNSATISFIABLE")
    assert output.err == f"boardsat: {target}: silent wrote no proof\n"
    assert not target.exists()


def test_proof_that_cannot_be_renamed_is_reported(
    staged: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fails)
    result = staged.solve()
    assert result.checked == (Check.PROOF,) and "No space left" in str(result.failure)
    only(staged, "old proof")


def test_proof_is_written_to_a_device(staged: Staged) -> None:
    staged.target = Path("/dev/null")
    assert staged.solve().failure is None
    staged.target = Path("/dev/full")
    if staged.target.exists():
        assert "no space to write the file" in str(staged.solve().failure)


@outside
@pytest.mark.parametrize("where", ["docker", "native"])
def test_full_disk_is_reported(where: str, small_disk: Path) -> None:
    need_checked_proofs()
    target = small_disk / "p.drat"
    target.write_text("old proof")
    fill(small_disk, but=8192)
    arguments = ("pigeonhole", "-n", 7, "--solver", "cadical", "--runtime", where)
    output = boardsat("solve", *arguments, "--timeout", 60, "--proof-file", target)
    if "cannot run here" in output.err:
        pytest.skip(output.err)
    assert output.code == 2 and output.out.startswith("UNSATISFIABLE")
    assert output.err.startswith(f"boardsat: {target}: the proof is lost: ")
    assert target.read_text() == "old proof"
    assert sorted(path.name for path in small_disk.iterdir()) == ["fill", "p.drat"]

"""Models of drat-trim and lrat-check in this process, which believe as much as the programs do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from boardsat.adapters.answer import TerminationReason, Usage
from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.runtimes import Outcome, Task
from boardsat.adapters.runtimes.program_output import ProgramOutput
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.solver import RuntimeName
from boardsat.workflows.solve import proofs
from fuzz.targets import _proof_oracle as oracle
from fuzz.targets import dimacs
from fuzz.targets._proof_oracle import Step

Clauses = list[list[int]]


def native(checker: Solver, checked_by: str = "") -> RuntimeName:
    return RuntimeName.NATIVE


@contextmanager
def installed() -> Iterator[None]:
    """Replace the proof checkers by models of them, so that no program is needed."""
    model = SimpleNamespace(run=_run)
    with (
        mock.patch.object(proofs, "select_runtime", native),
        mock.patch.object(proofs, "load_runtime", lambda name: model),
    ):
        yield


def _run(checker: Solver, task: Task) -> Outcome:
    proof = Path(str(task.checked_proof)).read_bytes()
    clauses = _clauses_for_program(Path(task.file).read_text())
    kind = task.proof.format if task.proof else None
    assert kind is not None and kind in checker.proof_formats
    is_verified = (
        _lrat_check(clauses, proof)
        if kind is ProofFormat.LRAT
        else _drat_trim(clauses, proof, kind)
    )
    output = ProgramOutput()
    verdict = "VERIFIED" if is_verified else "NOT VERIFIED"
    output.add(f"{'c' if kind is ProofFormat.LRAT else 's'} {verdict}\n".encode())
    code = 0 if is_verified else 1
    return Outcome(
        output,
        ProgramOutput(),
        TerminationReason.FINISHED,
        code,
        Usage(0.0, 0.0, 0),
        (checker.name,),
    )


def _clauses_for_program(text: str) -> Clauses:
    """Return the clauses that drat-trim reads: the first `cnf M N` is the header."""
    header = re.search(r"cnf (\d+) (\d+)", text)
    assert header is not None
    numbers = [int(token) for token in re.findall(r"-?\d+", text[header.end() :])]
    return dimacs.split(numbers)[: int(header[2])]


def _drat_trim(clauses: Clauses, proof: bytes, kind: ProofFormat) -> bool:
    steps = oracle.READERS[kind](proof)
    return steps is not None and oracle.is_refutation(clauses, steps)


def _lrat_check(clauses: Clauses, proof: bytes) -> bool:
    """A model of lrat-check at its worst: whatever it does not define, it verifies.

    Hints that lead to no conflict are enough if no clause has the negated first literal, and the
    empty clause has none. Negative hints, numbers beyond all clauses and other text mean anything.
    A number that was left out is that of a deleted clause.
    """
    steps = oracle.read_lrat(oracle.up_to_empty(proof))
    if steps is None:
        return True
    live = oracle.numbered(clauses)
    last = len(live)
    for step in steps:
        if any(not 0 < hint <= last for hint in step.hints):
            return True
        if step.deletes:
            for number in step.hints:
                live.pop(number, None)
            continue
        if step.number <= last:
            return True
        if not _is_believed(live, step):
            return False
        if not step.literals:
            return True
        last = step.number
        live[last] = step.literals
    return False


def _is_believed(live: oracle.Clauses, step: Step) -> bool:
    false = set(step.literals)
    for hint in step.hints:
        if hint not in live:
            return False
        open_literals = [literal for literal in live[hint] if literal not in false]
        if not open_literals:
            return True
        if len(open_literals) > 1:
            return False
        false.add(-open_literals[0])
    pivot = step.literals[0] if step.literals else 0
    return not any(-pivot in clause for clause in live.values())

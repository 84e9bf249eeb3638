"""The answers of a record, checked again: its model, its proof, and what follows from them.

What cannot be checked again is told as such: nobody should take a word for a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from boardsat.adapters.answer import Model
from boardsat.adapters.dimacs.text import DimacsError
from boardsat.adapters.dimacs.values import MalformedError
from boardsat.adapters.runtimes import Limits
from boardsat.adapters.views.decoder import decode
from boardsat.archive import storage
from boardsat.archive.answers import published_count
from boardsat.archive.consistency import false_claims, unproved
from boardsat.archive.instance_record import InstanceRecord
from boardsat.archive.manifest import Finding, Trouble
from boardsat.base import scratch
from boardsat.base.errors import BoardsatError, WrongAnswerError
from boardsat.base.text import pluralize
from boardsat.campaign.runner.solver_selection import can_check_proofs
from boardsat.instance.formula_file import Problem
from boardsat.workflows.solve.checks import Check, check_model, check_rules
from boardsat.workflows.solve.external_answers import GivenAnswer
from boardsat.workflows.solve.objectives import asks_for_best, check_best, check_value
from boardsat.workflows.solve.proof_checking import check_proof
from boardsat.workflows.solve.proof_limits import PROOF_RATIO

LITERAL_BYTES = 16
"""Of a literal in the text of a model, more than enough."""


def recheck(
    folder: Path, record: InstanceRecord, problem: Problem, limits: Limits
) -> Iterator[Finding]:
    """Whatever is claimed of a formula that is the right one."""
    each = problem.header.objects.get("models_each", 1)
    published, optimises = published_count(problem.header.objects), asks_for_best(problem)
    for fault in false_claims(record.evidence, published, each, optimises):
        yield Finding(record.file, Trouble.WRONG, fault)
    yield from _model(folder, record, problem, limits)
    yield from _proof(folder, record, problem, limits)
    if words := unproved(record.evidence):
        yield Finding(record.file, Trouble.UNCHECKED, f"only said: {', '.join(words)}")


def _model(
    folder: Path, record: InstanceRecord, problem: Problem, limits: Limits
) -> Iterator[Finding]:
    file = record.evidence.model
    if file is None:
        return
    most = 2**10 + LITERAL_BYTES * problem.variables
    try:
        answer = GivenAnswer(storage.unpacked(folder / file, most), file)
        model = answer.model(answer.read(problem.variables))
        check_model(problem, model, file)
        solution = decode(problem.header, model)
        is_checked = solution is not None and check_rules(problem, solution)
    except (BoardsatError, MalformedError) as error:
        yield Finding(file, Trouble.WRONG, str(error).removeprefix(f"{file}: "))
        return
    if asks_for_best(problem):
        yield from _value(record, problem, model, limits)
    if not is_checked and any(Check.BOARD in said.checked for said in record.evidence.solved):
        yield Finding(file, Trouble.UNCHECKED, "the rules of its board are not known here")


def _value(
    record: InstanceRecord, problem: Problem, model: Model, limits: Limits
) -> Iterator[Finding]:
    """That the model has the value of the record, and none is better if it is the best."""
    known, file = record.evidence, str(record.evidence.model)
    if known.value is None:
        return
    for said in known.solved:
        if said.value not in (None, known.value):
            word = f"only said: a model of value {said.value} by {said.solver}"
            yield Finding(record.file, Trouble.UNCHECKED, word)
    try:
        check_value(problem, model, known.value, file)
        if known.optimum is not None:
            check_best(problem, model, limits, file)
    except WrongAnswerError as error:
        yield Finding(file, Trouble.WRONG, str(error))
    except BoardsatError as error:
        yield Finding(file, Trouble.UNCHECKED, str(error))


def _proof(
    folder: Path, record: InstanceRecord, problem: Problem, limits: Limits
) -> Iterator[Finding]:
    file = record.evidence.proof
    if file is None:
        return
    if not can_check_proofs():
        yield Finding(file, Trouble.UNCHECKED, "drat-trim cannot run here")
        return
    path = folder / file
    most = 2**20 + PROOF_RATIO * path.stat().st_size
    try:
        with scratch.decompressed_copy(str(path), storage.unpacked(path, most)) as plain:
            kind = check_proof(problem, str(plain), limits, file)
            _refuse_unlike(record, kind, plain.stat().st_size)
    except (WrongAnswerError, DimacsError, MalformedError) as error:
        yield Finding(file, Trouble.WRONG, str(error).removeprefix(f"{path}: "))
    except BoardsatError as error:
        yield Finding(file, Trouble.UNCHECKED, str(error))


def _refuse_unlike(record: InstanceRecord, kind: str, size: int) -> None:
    known = record.evidence
    if (known.proof_kind, known.proof_bytes) != (kind, size):
        size_told = pluralize(size, "byte")
        raise MalformedError(f"its record tells of another proof: this is {kind}, {size_told}")

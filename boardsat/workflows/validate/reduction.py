"""Delta debugging (ddmin, Zeller and Hildebrandt 2002) of a formula on which a solver fails.

Clauses, then literals, are removed while the solver still fails: its model falsifies a clause, it
reports UNSATISFIABLE although a model is known, or its count contradicts that of another counter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from boardsat.adapters.answer import Answer, Model, Status, literals_of
from boardsat.adapters.dimacs import model_check
from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.dimacs.rewrite import clause_lines
from boardsat.adapters.runtimes import Limits
from boardsat.adapters.solvers.solver import AUTO
from boardsat.base import scratch
from boardsat.base.errors import BoardsatError
from boardsat.campaign.runner.records import COUNT, RunRecord
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.workflows.count import counter_run
from boardsat.workflows.count.reference import contradict
from boardsat.workflows.solve.request import SolveRequest, solve_unchecked
from boardsat.workflows.validate.run_matrix import BOARD
from boardsat.workflows.validate.schedule import MIN_RUN_SECONDS

Clauses = list[tuple[int, ...]]

AnswerJson = dict[str, Any]

Contradiction: TypeAlias = "tuple[list[AnswerJson], Model | None]"
"""Contradictory answers, and a model that refutes the answer of the suspect, if any."""

MAX_LITERALS = 400
"""Maximum number of literals of a formula from which single literals are removed too."""


@dataclass(frozen=True)
class FailureCandidate:
    """Run with a possibly wrong answer, its formula, and a solver that contradicts it."""

    file: str
    suspect: RunRecord
    reference: str | None
    """Solver that contradicts the suspect. None if the model of the suspect is wrong, or if no
    other solver is available."""
    certain: bool
    """True if the answer is refuted already; False if only a small formula can show it."""


@dataclass(frozen=True)
class SmallFormula:
    """Reduced formula with contradictory answers to it."""

    clauses: Clauses
    projection: list[int]
    variables: int
    answers: list[AnswerJson]

    def lines(self) -> Iterator[bytes]:
        """Yield the DIMACS lines: projection, header line and clauses."""
        yield " ".join(["c ind", *map(str, self.projection), "0\n"]).encode()
        yield b"p cnf %d %d\n" % (self.variables, len(self.clauses))
        for clause in self.clauses:
            yield clause_lines(np.array([*clause, 0]))


def reduce_formula(case: FailureCandidate, seconds: float) -> SmallFormula | None:
    """Reduce a formula on which a solver fails, by delta debugging.

    Parameters
    ----------
    case : FailureCandidate
        Run with a possibly wrong answer.
    seconds : float
        Wall-clock limit in seconds; the smallest formula found until then is returned.

    Returns
    -------
    SmallFormula or None
        Formula on which the solver still fails. None if the fault is not reproduced, if the formula
        has XOR lines, or if the solver reads the board.
    """
    if case.suspect.question.encoding == BOARD:
        return None
    formula = open_formula(case.file)
    if formula.summary.xor_lines:
        return None  # only clauses can be removed
    projection = formula.projection().tolist()
    clauses = list(_clauses(formula))
    deadline = time.monotonic() + seconds
    witness: Model | None = None
    answers: list[AnswerJson] = []

    def contradiction(clauses: Clauses, witness: Model | None) -> Contradiction | None:
        small = SmallFormula(clauses, projection, formula.variables, [])
        with _temporary_file(small) as file:
            return _contradiction(case, file, witness, deadline)

    def is_wrong(candidate: Clauses) -> bool:
        nonlocal answers, witness
        if (contradictory := contradiction(candidate, witness)) is None:
            return False
        answers, witness = contradictory
        return True

    if not is_wrong(clauses):
        return None
    clauses = minimize(clauses, is_wrong, deadline)
    if sum(map(len, clauses)) <= MAX_LITERALS:
        clauses = remove_literals(clauses, is_wrong, deadline)
    # Without the witness, the reference solver is run on the final formula.
    if contradictory := contradiction(clauses, None):
        answers = contradictory[0]
    return SmallFormula(clauses, projection, formula.variables, answers)


def minimize(items: Clauses, fails: Callable[[Clauses], bool], deadline: float) -> Clauses:
    """Return a 1-minimal failing subset (ddmin), or the smallest one found before the deadline."""
    pieces = 2
    while len(items) >= 2 and time.monotonic() < deadline:
        size = -(-len(items) // pieces)
        for start in range(0, len(items), size):
            subset = items[:start] + items[start + size :]
            if subset and fails(subset):
                items, pieces = subset, max(pieces - 1, 2)
                break
            if time.monotonic() >= deadline:
                return items
        else:
            if pieces >= len(items):
                break
            pieces = min(2 * pieces, len(items))
    return items


def remove_literals(clauses: Clauses, fails: Callable[[Clauses], bool], deadline: float) -> Clauses:
    """Remove single literals while the formula still fails; clauses do not become empty."""
    for index in range(len(clauses)):
        for literal in clauses[index]:
            if time.monotonic() >= deadline or len(clauses[index]) == 1:
                break
            shorter = tuple(lit for lit in clauses[index] if lit != literal)
            candidate = [*clauses[:index], shorter, *clauses[index + 1 :]]
            if shorter and fails(candidate):
                clauses = candidate
    return clauses


def _clauses(formula: FormulaFile) -> Iterator[tuple[int, ...]]:
    with open_cnf(formula.path, strict=False) as cnf:
        for tokens in cnf.chunks():
            for clause in np.split(tokens, np.flatnonzero(tokens == 0) + 1)[:-1]:
                yield tuple(clause[:-1].tolist())


@contextmanager
def _temporary_file(small: SmallFormula) -> Iterator[FormulaFile]:
    with scratch.folder() as folder:
        file = folder / "formula.cnf"
        scratch.write(file, small.lines())
        yield open_formula(str(file), generated_here=True)


def _contradiction(
    case: FailureCandidate, formula: FormulaFile, witness: Model | None, deadline: float
) -> Contradiction | None:
    """Return the contradictory answers to a formula; None if the fault is not reproduced."""
    limits = Limits(wall=max(MIN_RUN_SECONDS, deadline - time.monotonic()))
    try:
        if case.suspect.question.task == COUNT:
            return _counts_differ(case, formula, limits)
        answer = _solve(case.suspect.identity.name, case.suspect.identity.runtime, formula, limits)
        if answer.status.name != case.suspect.outcome.status:
            return None
        if case.reference is None:
            is_wrong = answer.model is not None and not _is_model(answer.model, formula)
            return ([_answer_json(answer)], None) if is_wrong else None
        return _refutation(case.reference, formula, answer, witness, limits)
    except BoardsatError:
        # An unreadable answer is a different fault.
        return None


def _refutation(
    reference: str, formula: FormulaFile, answer: Answer, witness: Model | None, limits: Limits
) -> Contradiction | None:
    """Return both answers if the reference solver contradicts the suspect.

    A model of the formula satisfies each subset of its clauses, so it is reused as a witness.
    """
    if witness is not None and _is_model(witness, formula):
        status = Status.SATISFIABLE.name
        witness_json = {"solver": reference, "status": status, "model": literals_of(witness)}
        return [_answer_json(answer), witness_json], witness
    other_answer = _solve(reference, AUTO, formula, limits)
    if {answer.status, other_answer.status} != {Status.SATISFIABLE, Status.UNSATISFIABLE}:
        return None
    positive = answer if answer.status is Status.SATISFIABLE else other_answer
    if positive.model is None or not _is_model(positive.model, formula):
        return None
    model = other_answer.model if positive is other_answer else None
    return [_answer_json(answer), _answer_json(other_answer)], model


def _is_model(model: Model, formula: FormulaFile) -> bool:
    return model_check.first_false_clause(formula.path, model) is None


def _counts_differ(
    case: FailureCandidate, formula: FormulaFile, limits: Limits
) -> Contradiction | None:
    if case.reference is None:
        return None
    counts = [
        counter_run.count(formula, name, runtime, limits)
        for name, runtime in (
            (case.suspect.identity.name, case.suspect.identity.runtime),
            (case.reference, AUTO),
        )
    ]
    if not contradict(*counts):
        return None
    return [{**_answer_json(count.answer), "count": count.objects} for count in counts], None


def _solve(name: str, runtime: str, formula: FormulaFile, limits: Limits) -> Answer:
    return solve_unchecked(formula, SolveRequest(name, runtime, limits))


def _answer_json(answer: Answer) -> AnswerJson:
    return {
        "solver": answer.run.solver,
        "version": answer.run.version,
        "runtime": answer.run.runtime,
        "command": list(answer.run.command),
        "status": answer.status.name,
        "exit_code": answer.run.exit_code,
        "model": answer.literals,
    }

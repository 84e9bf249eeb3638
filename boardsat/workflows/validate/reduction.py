"""Reduction of a formula about which a solver is wrong: delta debugging (Zeller's ddmin).

Clauses, then literals, are removed as long as the solver is still wrong: its model makes a clause
false, it refutes what a known model satisfies, or its count contradicts that of another counter.
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
from boardsat.adapters.solvers.capabilities import AUTO
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
"""Answers that contradict each other, and a model that the suspect denies."""

MAX_LITERALS = 400
"""Number of literals up to which a formula is also reduced literal by literal."""


@dataclass(frozen=True)
class FailureCandidate:
    """Run whose answer may be wrong, the formula, and a solver that contradicts it."""

    file: str
    suspect: RunRecord
    reference: str | None
    """Solver that contradicts the suspect. None if a model of the suspect itself is wrong, or if
    no other solver is available."""
    certain: bool
    """True if the answer is refuted; otherwise a small formula has to show it."""


@dataclass(frozen=True)
class SmallFormula:
    """Reduced formula, and the answers about it that contradict each other."""

    clauses: Clauses
    projection: list[int]
    variables: int
    answers: list[AnswerJson]

    def lines(self) -> Iterator[bytes]:
        """Yield the formula with its projection, and no other comment."""
        yield " ".join(["c ind", *map(str, self.projection), "0\n"]).encode()
        yield b"p cnf %d %d\n" % (self.variables, len(self.clauses))
        for clause in self.clauses:
            yield clause_lines(np.array([*clause, 0]))


def reduce_formula(case: FailureCandidate, seconds: float) -> SmallFormula | None:
    """Return the smallest formula found in this time about which the solver is still wrong.

    None if it is not wrong again, if there are xor lines, or if the solver reads the board.
    """
    if case.suspect.question.encoding == BOARD:
        return None
    problem = open_formula(case.file)
    if problem.summary.xor_lines:
        return None  # only clauses are removed
    projection = problem.projection().tolist()
    clauses = list(_clauses(problem))
    deadline = time.monotonic() + seconds
    witness: Model | None = None
    answers: list[AnswerJson] = []

    def contradiction(clauses: Clauses, witness: Model | None) -> Contradiction | None:
        small = SmallFormula(clauses, projection, problem.variables, [])
        with _on_disk(small) as file:
            return _contradiction(case, file, witness, deadline)

    def is_wrong(candidate: Clauses) -> bool:
        nonlocal answers, witness
        if (found := contradiction(candidate, witness)) is None:
            return False
        answers, witness = found
        return True

    if not is_wrong(clauses):
        return None
    clauses = minimize(clauses, is_wrong, deadline)
    if sum(map(len, clauses)) <= MAX_LITERALS:
        clauses = remove_literals(clauses, is_wrong, deadline)
    # Without the witness, so that the reference solver gives its own answer.
    if found := contradiction(clauses, None):
        answers = found[0]
    return SmallFormula(clauses, projection, problem.variables, answers)


def minimize(items: Clauses, fails: Callable[[Clauses], bool], deadline: float) -> Clauses:
    """Return a subset that still fails and of which no part can be removed (ddmin).

    At the deadline, return the smallest subset found until then.
    """
    pieces = 2
    while len(items) >= 2 and time.monotonic() < deadline:
        size = -(-len(items) // pieces)
        for start in range(0, len(items), size):
            rest = items[:start] + items[start + size :]
            if rest and fails(rest):
                items, pieces = rest, max(pieces - 1, 2)
                break
            if time.monotonic() >= deadline:
                return items
        else:
            if pieces >= len(items):
                break
            pieces = min(2 * pieces, len(items))
    return items


def remove_literals(clauses: Clauses, fails: Callable[[Clauses], bool], deadline: float) -> Clauses:
    """Remove single literals while it still fails; a clause keeps at least one."""
    for index in range(len(clauses)):
        for literal in clauses[index]:
            if time.monotonic() >= deadline or len(clauses[index]) == 1:
                break
            shorter = tuple(other for other in clauses[index] if other != literal)
            candidate = [*clauses[:index], shorter, *clauses[index + 1 :]]
            if shorter and fails(candidate):
                clauses = candidate
    return clauses


def _clauses(problem: FormulaFile) -> Iterator[tuple[int, ...]]:
    with open_cnf(problem.path, strict=False) as cnf:
        for tokens in cnf.chunks():
            ends = np.flatnonzero(tokens == 0).tolist()
            literals = tokens.tolist()
            for start, end in zip([0, *(end + 1 for end in ends)], ends, strict=False):
                yield tuple(literals[start:end])


@contextmanager
def _on_disk(small: SmallFormula) -> Iterator[FormulaFile]:
    with scratch.folder() as folder:
        file = folder / "formula.cnf"
        scratch.write(file, small.lines())
        yield open_formula(str(file), generated_here=True)


def _contradiction(
    case: FailureCandidate, problem: FormulaFile, witness: Model | None, deadline: float
) -> Contradiction | None:
    """Return the answers that contradict each other on this formula, if they still do."""
    limits = Limits(wall=max(MIN_RUN_SECONDS, deadline - time.monotonic()))
    try:
        if case.suspect.question.task == COUNT:
            return _counts_differ(case, problem, limits)
        answer = _solve(case.suspect.identity.name, case.suspect.identity.runtime, problem, limits)
        if answer.status.name != case.suspect.outcome.status:
            return None
        if case.reference is None:
            wrong = answer.model is not None and not _is_model(answer.model, problem)
            return ([_answer_json(answer)], None) if wrong else None
        return _refuted(case.reference, problem, answer, witness, limits)
    except BoardsatError:
        # An answer that cannot be read is another fault than the one to keep.
        return None


def _refuted(
    reference: str, problem: FormulaFile, answer: Answer, witness: Model | None, limits: Limits
) -> Contradiction | None:
    """Return the answers if the reference solver contradicts the one of the suspect.

    A model of the whole formula is one of every part of it, so the reference solver runs once.
    """
    if witness is not None and _is_model(witness, problem):
        other = {"solver": reference, "status": Status.SATISFIABLE.name}
        return [_answer_json(answer), {**other, "model": literals_of(witness)}], witness
    other_answer = _solve(reference, AUTO, problem, limits)
    if {answer.status, other_answer.status} != {Status.SATISFIABLE, Status.UNSATISFIABLE}:
        return None
    positive = answer if answer.status is Status.SATISFIABLE else other_answer
    if positive.model is None or not _is_model(positive.model, problem):
        return None
    model = other_answer.model if positive is other_answer else None
    return [_answer_json(answer), _answer_json(other_answer)], model


def _is_model(model: Model, problem: FormulaFile) -> bool:
    return model_check.first_false_clause(problem.path, model) is None


def _counts_differ(
    case: FailureCandidate, problem: FormulaFile, limits: Limits
) -> Contradiction | None:
    if case.reference is None:
        return None
    counts = [
        counter_run.count(problem, name, runtime, limits)
        for name, runtime in (
            (case.suspect.identity.name, case.suspect.identity.runtime),
            (case.reference, AUTO),
        )
    ]
    if not contradict(*counts):
        return None
    return [{**_answer_json(each.answer), "count": each.objects} for each in counts], None


def _solve(name: str, runtime: str, problem: FormulaFile, limits: Limits) -> Answer:
    return solve_unchecked(problem, SolveRequest(name, runtime, limits))


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

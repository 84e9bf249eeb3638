"""Validity of a projection, by Padoa's method: over an invalid one every count is wrong.

A projection X is valid if it and the variables T that a board is decoded from determine each other:
no two boards with the same projection (they would count as one), and no two projections of the same
board (it would count twice). Unless X is T, a solver looks for a model of two copies of the formula
that share some variables and differ in others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

import numpy as np

from boardsat.adapters import run_solver
from boardsat.adapters.answer import Model, Status
from boardsat.adapters.dimacs import rewrite
from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.runtimes import Task
from boardsat.base import scratch
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.solve.checks import check_model
from boardsat.workflows.solve.request import SolveRequest, select_cnf_solver


class Validity(StrEnum):
    """Validity of a projection, as answers print it."""

    VALID = "valid"
    INVALID = "invalid"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class ProjectionVerdict:
    """Validity of a projection, and the reason."""

    validity: Validity
    reason: str
    witness: tuple[Model, Model] | None = None
    """Two models that refute it. None unless it is invalid."""


def projection_verdict(problem: FormulaFile, request: SolveRequest) -> ProjectionVerdict:
    """Decide whether a count over the projection of a formula is the number of its boards.

    `request` is for the solver that looks for two models.
    """
    problem.require_cnf()
    problem.require_complete()
    counted, decided = problem.projection(), problem.decision_variables()
    if np.array_equal(counted, decided):
        return ProjectionVerdict(
            Validity.VALID, f"it is exactly the variables that {_variables_text(problem)}"
        )
    # Boards that the projection cannot tell apart, then projections that the board cannot.
    for shared, others, fault in (
        (counted, decided, "two different boards have the same projection"),
        (decided, counted, "the same board has two different projections"),
    ):
        differing = np.setdiff1d(others, shared)
        if not len(differing):
            continue
        status, reason, pair = _counterexample(problem, shared, differing, request)
        if status is Status.SATISFIABLE:
            return ProjectionVerdict(Validity.INVALID, fault, pair)
        if status is Status.UNKNOWN:
            return ProjectionVerdict(Validity.UNKNOWN, reason)
    return ProjectionVerdict(
        Validity.VALID, "proved by Padoa's method: it and the board determine each other"
    )


def _variables_text(problem: FormulaFile) -> str:
    if problem.header.display.views:
        return "the board is read from"
    return "the spec declares" if problem.header.variables else "the formula has"


def _counterexample(
    problem: FormulaFile, shared: np.ndarray, differing: np.ndarray, request: SolveRequest
) -> tuple[Status, str, tuple[Model, Model] | None]:
    """Look for two models that agree on the shared variables and differ in one of the others."""
    solver, where = select_cnf_solver(request)
    second = _second_copy(problem.variables, shared)
    with _two_copies(problem, second, differing) as (path, variables):
        task = Task(path, request.limits, request.seed, core=request.core)
        answer = run_solver.run_solver(solver, where, task, variables)
    if answer.model is None:
        return answer.status, answer.reason, None
    pair = answer.model[: problem.variables + 1], answer.model[second]
    for model in pair:
        check_model(problem, model, answer.run.solver)
    assert (pair[0][shared] == pair[1][shared]).all()
    assert (pair[0][differing] != pair[1][differing]).any()
    return answer.status, "", pair


def _second_copy(variables: int, shared: np.ndarray) -> np.ndarray:
    """Return the number of each variable in the second copy; index 0 is unused."""
    numbers = np.zeros(variables + 1, np.int64)
    numbers[shared] = shared
    not_shared = np.flatnonzero(numbers == 0)[1:]
    numbers[not_shared] = variables + 1 + np.arange(len(not_shared))
    return numbers


@contextmanager
def _two_copies(
    problem: FormulaFile, second: np.ndarray, differing: np.ndarray
) -> Iterator[tuple[str, int]]:
    """Write a file with both copies, and yield it with the number of its variables."""
    first_flag = int(second.max()) + 1
    flags = np.arange(first_flag, first_flag + len(differing))
    # One of them is true in the first copy and false in the second: the other way round is the
    # same pair, exchanged.
    clauses = [flags.tolist()]
    for flag, variable in zip(flags.tolist(), differing.tolist(), strict=True):
        clauses += [[-flag, variable], [-flag, -int(second[variable])]]
    variables = int(flags[-1])
    with scratch.folder() as folder:
        path = folder / "formula.cnf"
        header = b"p cnf %d %d\n" % (variables, 2 * problem.clauses + len(clauses))
        pairs = (rewrite.clause_lines(np.array([*clause, 0])) for clause in clauses)
        scratch.write(path, chain([header], _both(problem, second), pairs))
        yield str(path), variables


def _both(problem: FormulaFile, second: np.ndarray) -> Iterator[bytes]:
    """Yield the clauses with the variables of both copies."""
    with open_cnf(problem.path, strict=False) as cnf:
        for tokens in cnf.chunks():
            yield rewrite.clause_lines(tokens)
            yield rewrite.clause_lines(np.sign(tokens) * second[np.abs(tokens)])

"""Validity of a projection, decided by Padoa's method.

A projection X is valid if X and the variables T that a board is decoded from determine each other:
two boards never have the same projection (they would be counted as one), and a board never has two
projections (it would be counted twice). Unless X equals T, a solver searches for a model of two
copies of the formula that agree on one of the two sets and differ on the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from itertools import chain

import numpy as np

from boardsat.adapters import run_solver
from boardsat.adapters.answer import Model, Status
from boardsat.adapters.dimacs import rewrite
from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.runtimes import Task
from boardsat.base import scratch
from boardsat.base.dataclass import dataclass
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.solve.checks import check_model
from boardsat.workflows.solve.request import SolveRequest, select_cnf_solver


class Validity(StrEnum):
    """Validity of a projection."""

    VALID = "valid"
    INVALID = "invalid"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class ProjectionVerdict:
    """Validity of a projection, with the reason."""

    validity: Validity
    reason: str
    witness: tuple[Model, Model] | None = None
    """Two models that refute the projection. None unless it is invalid."""


def projection_verdict(formula: FormulaFile, request: SolveRequest) -> ProjectionVerdict:
    """Decide whether the projected models of a formula correspond to its boards one to one.

    Parameters
    ----------
    formula : FormulaFile
        Formula whose boards are decoded from its decision variables.
    request : SolveRequest
        Solver that searches for a counterexample, and its limits.

    Returns
    -------
    ProjectionVerdict
        VALID, INVALID with two models as a witness, or UNKNOWN if a limit was reached.

    Raises
    ------
    InputError
        The formula is not CNF, or it is lazy.
    WrongModelError
        A model of the solver falsifies a clause.
    """
    formula.require_cnf()
    formula.require_complete()
    counted, decided = formula.projection(), formula.decision_variables()
    if np.array_equal(counted, decided):
        return ProjectionVerdict(
            Validity.VALID, f"it is exactly the variables that {_variables_text(formula)}"
        )
    # First two boards with one projection, then two projections with one board.
    for shared, varied, fault in (
        (counted, decided, "two different boards have the same projection"),
        (decided, counted, "the same board has two different projections"),
    ):
        differing = np.setdiff1d(varied, shared)
        if not len(differing):
            continue
        status, reason, pair = _counterexample(formula, shared, differing, request)
        if status is Status.SATISFIABLE:
            return ProjectionVerdict(Validity.INVALID, fault, pair)
        if status is Status.UNKNOWN:
            return ProjectionVerdict(Validity.UNKNOWN, reason)
    return ProjectionVerdict(
        Validity.VALID, "proved by Padoa's method: it and the board determine each other"
    )


def _variables_text(formula: FormulaFile) -> str:
    """Return a relative clause that defines the decision variables: `the spec declares`."""
    if formula.header.display.views:
        return "the board is read from"
    return "the spec declares" if formula.header.variables else "the formula has"


def _counterexample(
    formula: FormulaFile, shared: np.ndarray, differing: np.ndarray, request: SolveRequest
) -> tuple[Status, str, tuple[Model, Model] | None]:
    """Search for two models that agree on the shared variables and differ in a differing one."""
    solver, runtime = select_cnf_solver(request)
    second = _second_copy(formula.variables, shared)
    with _two_copies(formula, second, differing) as (path, variables):
        task = Task(path, request.limits, request.seed, core=request.core)
        answer = run_solver.run_solver(solver, runtime, task, variables)
    if answer.model is None:
        return answer.status, answer.reason, None
    pair = answer.model[: formula.variables + 1], answer.model[second]
    for model in pair:
        check_model(formula, model, answer.run.solver)
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
    formula: FormulaFile, second: np.ndarray, differing: np.ndarray
) -> Iterator[tuple[str, int]]:
    """Write a formula file with both copies; yield its path and number of variables."""
    first_flag = int(second.max()) + 1
    flags = np.arange(first_flag, first_flag + len(differing))
    # A flag implies that its variable is true in the first copy and false in the second. The
    # opposite difference is the same pair of models, exchanged.
    clauses = [flags.tolist()]
    for flag, variable in zip(flags.tolist(), differing.tolist(), strict=True):
        clauses += [[-flag, variable], [-flag, -int(second[variable])]]
    variables = int(flags[-1])
    with scratch.folder() as folder:
        path = folder / "formula.cnf"
        header = b"p cnf %d %d\n" % (variables, 2 * formula.clauses + len(clauses))
        pairs = (rewrite.clause_lines(np.array([*clause, 0])) for clause in clauses)
        scratch.write(path, chain([header], _both_copies(formula, second), pairs))
        yield str(path), variables


def _both_copies(formula: FormulaFile, second: np.ndarray) -> Iterator[bytes]:
    """Yield each clause twice: over the variables of the first copy, and of the second."""
    with open_cnf(formula.path, strict=False) as cnf:
        for tokens in cnf.chunks():
            yield rewrite.clause_lines(tokens)
            yield rewrite.clause_lines(np.sign(tokens) * second[np.abs(tokens)])

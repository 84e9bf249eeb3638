"""The solve workflow: run a solver on a formula or a board, and check its answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from boardsat import clock
from boardsat.adapters.runtimes import Task
from boardsat.base.errors import InputError
from boardsat.instance.formula_file import FormulaFile, Instance, board_file
from boardsat.workflows.solve import proofs, saving
from boardsat.workflows.solve.checks import CheckedAnswer, check_answer, check_board_answer
from boardsat.workflows.solve.fallback import decided_formula
from boardsat.workflows.solve.request import SolveRequest, select_requested_solver


def solve(problem: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """One answer, checked."""
    with (
        proofs.beside(request) as (asked, named),
        decided_formula(problem, asked) as (formula, answer),
    ):
        result = check_answer(formula, answer, asked)
        if request.output:
            result = _saved(formula, result, request.output)
        return named(formula, result)


def _saved(formula: FormulaFile, result: CheckedAnswer, target: str) -> CheckedAnswer:
    try:
        saving.write_decided_formula(formula, len(result.answer.cuts), target)
    except (InputError, OSError) as error:
        return replace(result, failure=error)
    return result


def solve_board(instance: Instance, request: SolveRequest) -> CheckedAnswer:
    """One answer of a solver that reads the board itself, checked."""
    solver, where = select_requested_solver(request)
    board = instance.board_for(solver)
    with board_file(instance) as path:
        task = Task(path, request.limits, request.seed, core=request.core)
        answer = clock.solve(solver, where, task, board.cells, request.runtime)
    return check_board_answer(instance, board, answer)


def enumerate_models(
    problem: FormulaFile, request: SolveRequest, most: int
) -> Iterator[CheckedAnswer]:
    """Different boards, by blocking what was found on the projection; the last may be UNSAT."""
    blocked: list[list[int]] = []
    if most > 1:
        # A projection that is none is an error before the work.
        counted = problem.decision_variables() if problem.header.lazy else problem.projection()
    for number in range(1, most + 1):
        with problem.with_clauses(blocked) as remaining:
            result = solve(remaining, request)
        yield result
        if result.answer.model is None or number == most:
            return
        values = result.answer.model[counted].astype(np.int64)
        blocked.append((-values * counted).tolist())

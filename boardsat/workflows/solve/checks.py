"""Checks of an answer: model, board, cuts and proof. A wrong answer raises WrongAnswerError."""

from __future__ import annotations

import numpy as np

from boardsat.adapters import rules
from boardsat.adapters.answer import Answer, Model, Status
from boardsat.adapters.boards import Board
from boardsat.adapters.command_clock import CommandLimitError, work_step
from boardsat.adapters.dimacs import model_check
from boardsat.adapters.lazy_cuts.connectivity_cuts import find_cuts
from boardsat.adapters.lazy_cuts.lazy_constraints import read_lazy_constraints
from boardsat.adapters.views.decoder import decode
from boardsat.adapters.views.solution import Solution, Tour
from boardsat.base import scratch
from boardsat.base.errors import (
    BoardsatError,
    SolverError,
    WrongAnswerError,
    WrongBoardError,
    WrongModelError,
)
from boardsat.instance.formula_file import FormulaFile, Instance
from boardsat.workflows.solve.request import SolveRequest
from boardsat.workflows.solve.result import Check, CheckedAnswer


def check_board_answer(instance: Instance, board: Board, answer: Answer) -> CheckedAnswer:
    """Check a tour by the rules. UNSATISFIABLE cannot be checked without a formula."""
    if answer.tour is None:
        unchecked = (Check.PROOF,) if answer.status is Status.UNSATISFIABLE else ()
        return CheckedAnswer(answer, None, (), unchecked)
    solution = Solution(board, Tour(answer.tour))
    alarm, remedy = f"WRONG BOARD from {answer.run.solver}:", "the solver has a bug"
    check_rules(instance, solution, alarm, remedy, WrongAnswerError)
    return CheckedAnswer(answer, solution, (Check.BOARD,), ())


def check_answer(problem: FormulaFile, answer: Answer, request: SolveRequest) -> CheckedAnswer:
    """Check all parts of an answer that can be checked."""
    if answer.status is Status.UNSATISFIABLE:
        cuts = check_cuts(problem, answer)
        if request.proof is None:
            return CheckedAnswer(answer, None, cuts, (Check.PROOF,))
        from boardsat.workflows.solve.proofs import check_written_proof

        proof, error = check_written_proof(problem, answer, request, request.proof)
        if error is not None:
            return CheckedAnswer(answer, None, cuts, (Check.PROOF,), error, proof)
        return CheckedAnswer(answer, None, (Check.PROOF, *cuts), (), proof=proof)
    if answer.status is Status.UNKNOWN:
        return CheckedAnswer(answer, None, (), ())
    if answer.model is None:
        return CheckedAnswer(answer, None, (), (Check.MODEL,))
    with work_step(f"the model was checked ({answer.run.solver} says {answer.status.name})"):
        return check_model_and_board(problem, answer, answer.model)


def check_model_and_board(problem: FormulaFile, answer: Answer, model: Model) -> CheckedAnswer:
    """Check a model against the formula, and the board that it decodes to by the rules."""
    check_model(problem, model, answer.run.solver)
    try:
        solution = decode(problem.header, model)
        has_rules = solution is not None and check_rules(problem, solution)
        check_connected(problem, model, answer.run.solver)
    except (WrongAnswerError, CommandLimitError):
        raise
    except BoardsatError as error:
        return CheckedAnswer(answer, None, (Check.MODEL,), (Check.BOARD,), error)
    if solution is None:
        return CheckedAnswer(answer, None, (Check.MODEL,), ())
    if not has_rules:
        return CheckedAnswer(answer, solution, (Check.MODEL,), (Check.BOARD,))
    return CheckedAnswer(answer, solution, (Check.MODEL, Check.BOARD), ())


def check_cuts(problem: FormulaFile, answer: Answer) -> tuple[str, ...]:
    """Check that the cuts of a refuted lazy formula follow, and return what was checked."""
    if not answer.cut_rounds.cuts or not problem.header.lazy:
        return ()
    from boardsat.workflows.solve.saved_cuts import check_cuts_follow

    check_cuts_follow(problem, answer.cut_rounds.cuts, answer.run.solver)
    return (f"cuts ({len(answer.cut_rounds.cuts):,})",)


def check_model(problem: FormulaFile, model: Model, source: str) -> None:
    """Raise WrongModelError if a model violates a constraint of the file."""
    false: object
    if problem.linear is not None:
        false = problem.linear.first_false(model)
    else:
        false = model_check.first_false_clause(problem.path, model)
    if false is not None:
        raise WrongModelError(
            f"WRONG MODEL from {source}: {false} is false",
            "keep the file: the solver or boardsat has a bug",
            scratch.preserve(problem.path),
        )


def check_connected(problem: FormulaFile, model: Model, source: str) -> None:
    """Raise WrongModelError if a model violates the lazy constraints of a formula."""
    if not problem.header.lazy:
        return
    true = set(np.flatnonzero(model > 0).tolist())
    if find_cuts(read_lazy_constraints(problem.header, problem.path).graphs, true) is not None:
        raise WrongModelError(
            f"WRONG MODEL from {source}: what it chooses is not connected",
            "its formula is lazy: let `boardsat solve` add the cuts that are missing",
            scratch.preserve(problem.path),
        )


def check_rules(
    problem: Instance,
    solution: Solution,
    alarm: str = "WRONG BOARD: the model satisfies the formula, but",
    remedy: str = "the encoding has a bug",
    error: type[WrongAnswerError] = WrongBoardError,
) -> bool:
    """Return whether the problem has rules; raise `error` if the board violates them."""
    violations = rules.violations(problem.header.problem, solution, problem.header.parameters)
    if violations is None:
        return False
    try:
        fault = next(violations, None)
    except (AssertionError, LookupError, TypeError, ValueError):
        raise SolverError(
            f"its header is not that of a {problem.header.problem}",
            "write the file again",
            problem.path,
        ) from None
    if fault is not None:
        if not problem.generated_here:
            remedy = f"{remedy}, or its header is not about these clauses"
        if problem.header.lazy:
            remedy = "its formula is lazy: let `boardsat solve` add the cuts that are missing"
        raise error(f"{alarm} {fault}", remedy, scratch.preserve(problem.path))
    return True

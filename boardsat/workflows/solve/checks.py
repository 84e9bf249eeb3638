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
from boardsat.adapters.views import Solution, Tour
from boardsat.adapters.views.decoder import decode
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

LAZY_REMEDY = "its formula is lazy: `boardsat solve` adds the missing cuts"


def check_board_answer(instance: Instance, board: Board, answer: Answer) -> CheckedAnswer:
    """Check a tour by the rules of the problem; UNSATISFIABLE stays unchecked without a formula."""
    if answer.tour is None:
        unchecked = (Check.PROOF,) if answer.status is Status.UNSATISFIABLE else ()
        return CheckedAnswer(answer, None, (), unchecked)
    solution = Solution(board, Tour(answer.tour))
    alarm, remedy = f"WRONG BOARD from {answer.run.solver}:", "the solver has a bug"
    check_rules(instance, solution, alarm, remedy, WrongAnswerError)
    return CheckedAnswer(answer, solution, (Check.BOARD,), ())


def check_answer(formula: FormulaFile, answer: Answer, request: SolveRequest) -> CheckedAnswer:
    """Check all parts of an answer that can be checked.

    Parameters
    ----------
    formula : FormulaFile
        Formula that was solved, with its cuts if it is lazy.
    answer : Answer
        Unchecked answer of the solver.
    request : SolveRequest
        Solver and limits; the path of the proof, if one was requested.

    Returns
    -------
    CheckedAnswer
        Answer with the checks that it passed, and those that it would need.

    Raises
    ------
    WrongAnswerError
        A check failed.
    """
    if answer.status is Status.UNSATISFIABLE:
        cuts = check_cuts(formula, answer)
        if request.proof is None:
            return CheckedAnswer(answer, None, cuts, (Check.PROOF,))
        from boardsat.workflows.solve.proofs import check_written_proof

        proof, error = check_written_proof(formula, answer, request, request.proof)
        if error is not None:
            return CheckedAnswer(answer, None, cuts, (Check.PROOF,), error, proof)
        return CheckedAnswer(answer, None, (Check.PROOF, *cuts), (), proof=proof)
    if answer.status is Status.UNKNOWN:
        return CheckedAnswer(answer, None, (), ())
    if answer.model is None:
        return CheckedAnswer(answer, None, (), (Check.MODEL,))
    with work_step(f"the model was checked ({answer.run.solver} says {answer.status.name})"):
        return check_model_and_board(formula, answer, answer.model)


def check_model_and_board(formula: FormulaFile, answer: Answer, model: Model) -> CheckedAnswer:
    """Check a model against the formula, and its board against the rules of the problem."""
    check_model(formula, model, answer.run.solver)
    try:
        solution = decode(formula.header, model)
        has_rules = solution is not None and check_rules(formula, solution)
        check_connected(formula, model, answer.run.solver)
    except (WrongAnswerError, CommandLimitError):
        raise
    except BoardsatError as error:
        return CheckedAnswer(answer, None, (Check.MODEL,), (Check.BOARD,), error)
    if solution is None:
        return CheckedAnswer(answer, None, (Check.MODEL,), ())
    if not has_rules:
        return CheckedAnswer(answer, solution, (Check.MODEL,), (Check.BOARD,))
    return CheckedAnswer(answer, solution, (Check.MODEL, Check.BOARD), ())


def check_cuts(formula: FormulaFile, answer: Answer) -> tuple[str, ...]:
    """Check that cuts follow from the lazy constraints, and return this check with their number."""
    if not answer.cut_rounds.cuts or not formula.header.lazy:
        return ()
    from boardsat.workflows.solve.saved_cuts import check_cuts_follow

    check_cuts_follow(formula, answer.cut_rounds.cuts, answer.run.solver)
    return (f"cuts ({len(answer.cut_rounds.cuts):,})",)


def check_model(formula: FormulaFile, model: Model, source: str) -> None:
    """Raise WrongModelError if a model falsifies a clause or linear constraint of the file.

    `source` is the solver or the file that the model is from.
    """
    falsified: object
    if formula.linear is not None:
        falsified = formula.linear.first_false(model)
    else:
        falsified = model_check.first_false_clause(formula.path, model)
    if falsified is not None:
        raise WrongModelError(
            f"WRONG MODEL from {source}: {falsified} is false",
            "keep the file: the solver or boardsat has a bug",
            scratch.preserve(formula.path),
        )


def check_connected(formula: FormulaFile, model: Model, source: str) -> None:
    """Raise WrongModelError if a model violates the lazy constraints of a formula."""
    if not formula.header.lazy:
        return
    true = set(np.flatnonzero(model > 0).tolist())
    if find_cuts(read_lazy_constraints(formula.header, formula.path).graphs, true) is not None:
        raise WrongModelError(
            f"WRONG MODEL from {source}: its edges or cells are not connected",
            LAZY_REMEDY,
            scratch.preserve(formula.path),
        )


def check_rules(
    instance: Instance,
    solution: Solution,
    alarm: str = "WRONG BOARD: the model satisfies the formula, but",
    remedy: str = "the encoding has a bug",
    error: type[WrongAnswerError] = WrongBoardError,
) -> bool:
    """Check a board by the rules of its problem; return False if the problem has no rules.

    Parameters
    ----------
    instance : Instance
        Formula, program or board, whose header names the problem.
    solution : Solution
        Decoded board.
    alarm, remedy : str
        First words of the error, and its remedy.
    error : type
        Exception to raise if the board violates a rule.

    Raises
    ------
    WrongAnswerError
        The board violates a rule.
    SolverError
        The header does not describe an instance of the problem.
    """
    violations = rules.violations(instance.header.problem, solution, instance.header.parameters)
    if violations is None:
        return False
    try:
        fault = next(violations, None)
    except (AssertionError, LookupError, TypeError, ValueError):
        raise SolverError(
            f"its header does not describe an instance of {instance.header.problem}",
            "generate the file again with `boardsat cnf`",
            instance.path,
        ) from None
    if fault is not None:
        if not instance.generated_here:
            remedy = f"{remedy}, or its header does not describe these clauses"
        if instance.header.lazy:
            remedy = LAZY_REMEDY
        raise error(f"{alarm} {fault}", remedy, scratch.preserve(instance.path))
    return True

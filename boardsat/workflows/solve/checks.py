"""The checks of an answer: model, board, cuts, proof; a wrong answer is an error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from boardsat.adapters import rules, solvers
from boardsat.adapters.answer import Answer, Model, Status
from boardsat.adapters.boards import Board
from boardsat.adapters.dimacs import check
from boardsat.adapters.lazy_cuts.connectivity_cuts import find_cuts
from boardsat.adapters.lazy_cuts.cut_validation import cut_checker
from boardsat.adapters.lazy_cuts.lazy_constraints import read_lazy_constraints
from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.views.decoder import decode
from boardsat.adapters.views.solution import Solution, Tour
from boardsat.base import scratch
from boardsat.base.errors import (
    BoardsatError,
    LostProofError,
    SolverError,
    WrongAnswerError,
    WrongBoardError,
    WrongModelError,
)
from boardsat.clock import CommandLimitError, during
from boardsat.instance.formula_file import FormulaFile, Instance
from boardsat.workflows.solve.request import SolveRequest, resolve_proof_format


class Check(StrEnum):
    """What of an answer is checked."""

    MODEL = "model"
    BOARD = "board"
    PROOF = "proof"
    COUNT = "count"
    ANSWER = "answer"
    """By another solver, which says the same."""
    COST = "cost"
    OPTIMUM = "optimum"


@dataclass(frozen=True)
class Proof:
    """A proof that was written, whether it was checked or not."""

    kind: ProofFormat
    bytes: int
    """As the solver wrote it."""
    checker: str
    """Who verified it; empty where nobody did."""
    file: str = ""
    """Where it is kept."""
    file_bytes: int = 0
    """On disk, where it may be compressed."""
    formula: str = ""
    """The file of the formula that it proves, where that was written beside it."""


@dataclass(frozen=True)
class CheckedAnswer:
    answer: Answer
    solution: Solution | None
    checked: tuple[str, ...]
    """Words of `Check`, and how many cuts."""
    unchecked: tuple[str, ...]
    failure: BaseException | None = None
    """What went wrong after the answer was known: to be told after it."""
    proof: Proof | None = None
    value: int | None = None
    """What the best model has least or most of, where one was asked for."""


def check_board_answer(instance: Instance, board: Board, answer: Answer) -> CheckedAnswer:
    """Check a tour by the rules; that there is none is the solver's word."""
    if answer.tour is None:
        unchecked = (Check.PROOF,) if answer.status is Status.UNSATISFIABLE else ()
        return CheckedAnswer(answer, None, (), unchecked)
    solution = Solution(board, Tour(answer.tour))
    alarm, remedy = f"WRONG BOARD from {answer.solver}:", "the solver has a bug"
    check_rules(instance, solution, alarm, remedy, WrongAnswerError)
    return CheckedAnswer(answer, solution, (Check.BOARD,), ())


def check_answer(problem: FormulaFile, answer: Answer, request: SolveRequest) -> CheckedAnswer:
    """Check whatever can be checked; a false answer is an error."""
    if answer.status is Status.UNSATISFIABLE:
        cuts = check_cuts(problem, answer)
        if request.proof is None:
            return CheckedAnswer(answer, None, cuts, (Check.PROOF,))
        kind = resolve_proof_format(solvers.load(request.solver), request)
        fault = _fault_of_proof(problem, answer, request, kind)
        proof = _written(request.proof, kind, solvers.checker_of(kind).name if not fault else "")
        if fault is not None:
            return CheckedAnswer(answer, None, cuts, (Check.PROOF,), fault, proof)
        return CheckedAnswer(answer, None, (Check.PROOF, *cuts), (), proof=proof)
    if answer.status is Status.UNKNOWN:
        return CheckedAnswer(answer, None, (), ())
    if answer.model is None:
        return CheckedAnswer(answer, None, (), (Check.MODEL,))
    with during(f"the model was checked ({answer.solver} says {answer.status.name})"):
        return check_model_and_board(problem, answer, answer.model)


def check_model_and_board(problem: FormulaFile, answer: Answer, model: Model) -> CheckedAnswer:
    check_model(problem, model, answer.solver)
    try:
        solution = decode(problem.header, model)
        known = solution is not None and check_rules(problem, solution)
        check_connected(problem, model, answer.solver)
    except (WrongAnswerError, CommandLimitError):
        raise
    except BoardsatError as error:
        return CheckedAnswer(answer, None, (Check.MODEL,), (Check.BOARD,), error)
    if solution is None:
        return CheckedAnswer(answer, None, (Check.MODEL,), ())
    if not known:
        return CheckedAnswer(answer, solution, (Check.MODEL,), (Check.BOARD,))
    return CheckedAnswer(answer, solution, (Check.MODEL, Check.BOARD), ())


def _written(proof: str, kind: ProofFormat, checker: str) -> Proof | None:
    try:
        return Proof(kind, Path(proof).stat().st_size, checker)
    except OSError:
        return None


def _fault_of_proof(
    problem: FormulaFile, answer: Answer, request: SolveRequest, kind: ProofFormat
) -> BoardsatError | None:
    """Why a proof was not checked; one that is wrong is an error."""
    from boardsat.workflows.solve.proof_checking import check_proof

    proof = request.proof or ""
    # Solvers that are refused room say nothing, and the rest of the proof is missing.
    full = scratch.is_full(Path(proof).parent)
    no_space = SolverError("its disk is full", "free some space") if full else None
    lost = answer.lost_proof or no_space
    try:
        check_proof(problem, proof, request.limits, answer.solver, request.core, kind)
    except BoardsatError as error:
        if lost:
            return LostProofError(f"the proof is lost: {lost.fault}", lost.remedy, proof)
        # A file that we made for the solver may be there, and empty.
        if not (Path(proof).exists() and Path(proof).stat().st_size):
            return LostProofError(f"{answer.solver} wrote no proof")
        if isinstance(error, WrongAnswerError):
            raise
        return error
    return None


def check_cuts(problem: FormulaFile, answer: Answer) -> tuple[str, ...]:
    """Whether what was added to a refuted formula follows; what was checked, in words."""
    if not answer.cuts or not problem.header.lazy:
        return ()
    check_cuts_follow(problem, answer.cuts, answer.solver)
    return (f"cuts ({len(answer.cuts):,})",)


def check_cuts_follow(problem: FormulaFile, cuts: Iterable[Sequence[int]], whose: str) -> None:
    """Each must follow from what the formula leaves out."""
    graphs = read_lazy_constraints(problem.header, problem.path).graphs
    judges = [cut_checker(graph) for graph in graphs]
    for cut in cuts:
        if not any(judge.is_cut(cut) for judge in judges):
            shown = " ".join(map(str, cut[:12])) + (" ..." if len(cut) > 12 else "")
            raise WrongAnswerError(
                f"WRONG CUT with {whose}: {shown} does not follow",
                "keep the file: what adds the cuts has a bug",
                scratch.preserve(problem.path),
            )


def check_model(problem: FormulaFile, model: Model, whose: str) -> None:
    false: object
    if problem.linear is not None:
        false = problem.linear.first_false(model)
    else:
        false = check.first_false_clause(problem.path, model)
    if false is not None:
        raise WrongModelError(
            f"WRONG MODEL from {whose}: {false} is false",
            "keep the file: the solver or boardsat has a bug",
            scratch.preserve(problem.path),
        )


def check_connected(problem: FormulaFile, model: Model, whose: str) -> None:
    """Whether a model has what a lazy formula leaves out: it is there for problems of all kinds."""
    if not problem.header.lazy:
        return
    true = set(np.flatnonzero(model > 0).tolist())
    if find_cuts(read_lazy_constraints(problem.header, problem.path).graphs, true) is not None:
        raise WrongModelError(
            f"WRONG MODEL from {whose}: what it chooses is not connected",
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
    """Whether the rules were known and hold; `error` is raised for a board that breaks them."""
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

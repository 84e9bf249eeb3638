"""CNF files: run the solver, check its answer, and enumerate models.

For a plain formula, `solve` only runs the solver and checks the answer. It handles lazy formulas,
proofs and the output of the solved formula separately.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from boardsat.base.errors import InputError
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.solve.checks import check_answer
from boardsat.workflows.solve.request import SolveRequest, solve_unchecked
from boardsat.workflows.solve.result import CheckedAnswer

if TYPE_CHECKING:
    from boardsat.workflows.solve.proofs import StoreProof


def enumerate_answers(formula: FormulaFile, request: SolveRequest) -> Iterator[CheckedAnswer]:
    """Yield answers with distinct projected models; the last answer may have no model.

    Each model is blocked by a clause before the next run.
    """
    blocking_clauses: list[list[int]] = []
    if request.max_boards > 1:
        # An invalid projection is an error before the first run.
        is_lazy = formula.header.lazy
        projection = formula.decision_variables() if is_lazy else formula.projection()
    for number in range(1, request.max_boards + 1):
        with formula.with_clauses(blocking_clauses) as remaining:
            result = solve(remaining, request)
        yield result
        if result.answer.model is None or number == request.max_boards:
            return
        signs = result.answer.model[projection].astype(np.int64)
        blocking_clauses.append((-signs * projection).tolist())


def solve(formula: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """Solve a CNF formula and check the answer.

    Parameters
    ----------
    formula : FormulaFile
        Formula, plain or lazy.
    request : SolveRequest
        Solver, runtime, limits, and the paths of the proof and of the solved formula.

    Returns
    -------
    CheckedAnswer
        Its `failure` is the error if the proof could not be verified, or a file not written.

    Raises
    ------
    InputError
        The solver cannot do what is requested.
    WrongAnswerError
        The answer failed a check.
    """
    if formula.header.lazy or request.proof is not None or request.output:
        return _solve_special(formula, request)
    return check_answer(formula, solve_unchecked(formula, request), request)


def _solve_special(formula: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """Solve with cuts, and store the proof and the solved formula if requested."""
    from boardsat.workflows.solve.lazy_formulas import decided_formula

    with ExitStack() as stack:
        store_proof: StoreProof | None = None
        if request.proof is not None:
            from boardsat.workflows.solve.proofs import stored_proof

            request, store_proof = stack.enter_context(stored_proof(request, request.proof))
        decided, answer = stack.enter_context(decided_formula(formula, request))
        result = check_answer(decided, answer, request)
        if request.output:
            result = _store_formula(decided, result, request.output)
        return store_proof(decided, result) if store_proof else result


def _store_formula(formula: FormulaFile, result: CheckedAnswer, target: str) -> CheckedAnswer:
    from boardsat.workflows.solve.saved_cuts import write_decided_formula

    try:
        write_decided_formula(formula, len(result.answer.cut_rounds.cuts), target)
    except (InputError, OSError) as error:
        return replace(result, failure=error)
    return result

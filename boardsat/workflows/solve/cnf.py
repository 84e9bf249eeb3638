"""CNF files: run the solver and check its answer.

Lazy formulas, proofs and the output of the decided formula are special cases, which a plain formula
does not pass through.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from boardsat.base.errors import InputError
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.solve.checks import check_answer
from boardsat.workflows.solve.request import SolveRequest, solve_unchecked
from boardsat.workflows.solve.result import CheckedAnswer

if TYPE_CHECKING:
    from boardsat.workflows.solve.proofs import StoreProof


def solve(problem: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """Return one answer, checked."""
    if problem.header.lazy or request.proof is not None or request.output:
        return _solve_special(problem, request)
    return check_answer(problem, solve_unchecked(problem, request), request)


def _solve_special(problem: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """Solve with cuts, and store the proof and the decided formula if requested."""
    from boardsat.workflows.solve.lazy_formulas import decided_formula

    with ExitStack() as stack:
        store_proof: StoreProof | None = None
        if request.proof is not None:
            from boardsat.workflows.solve.proofs import stored_proof

            request, store_proof = stack.enter_context(stored_proof(request, request.proof))
        formula, answer = stack.enter_context(decided_formula(problem, request))
        result = check_answer(formula, answer, request)
        if request.output:
            result = _store_formula(formula, result, request.output)
        return store_proof(formula, result) if store_proof else result


def _store_formula(formula: FormulaFile, result: CheckedAnswer, target: str) -> CheckedAnswer:
    from boardsat.workflows.solve.saved_cuts import write_decided_formula

    try:
        write_decided_formula(formula, len(result.answer.cut_rounds.cuts), target)
    except (InputError, OSError) as error:
        return replace(result, failure=error)
    return result

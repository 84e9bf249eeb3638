"""CNF files: run the solver and check its answer.

Lazy formulas, proofs and the output of the decided formula are special cases, which a plain formula
does not pass through.
"""

from __future__ import annotations

from dataclasses import replace

from boardsat.base.errors import InputError
from boardsat.instance.formula_file import FormulaFile
from boardsat.workflows.solve.checks import check_answer
from boardsat.workflows.solve.request import SolveRequest, solve_unchecked
from boardsat.workflows.solve.result import CheckedAnswer


def solve(problem: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """Return one answer, checked."""
    if problem.header.lazy or request.proof is not None or request.output:
        return _solve_special(problem, request)
    return check_answer(problem, solve_unchecked(problem, request), request)


def _solve_special(problem: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """Solve with cuts, and store the proof and the decided formula if requested."""
    from boardsat.workflows.solve.lazy_formulas import decided_formula
    from boardsat.workflows.solve.proofs import stored_proof

    with (
        stored_proof(request) as (inner_request, store_proof),
        decided_formula(problem, inner_request) as (formula, answer),
    ):
        result = check_answer(formula, answer, inner_request)
        if request.output:
            result = _store_formula(formula, result, request.output)
        return store_proof(formula, result)


def _store_formula(formula: FormulaFile, result: CheckedAnswer, target: str) -> CheckedAnswer:
    from boardsat.workflows.solve.saved_cuts import write_decided_formula

    try:
        write_decided_formula(formula, len(result.answer.cut_rounds.cuts), target)
    except (InputError, OSError) as error:
        return replace(result, failure=error)
    return result

"""The formula that was decided in the end: with its cuts if it is lazy, or of another encoding.

If the rounds of a lazy formula do not suffice, another encoding of the same problem is solved,
which needs none. It is the same problem only if the formula is what its header says.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from boardsat.adapters.answer import Answer, Status
from boardsat.adapters.lazy_cuts.lazy_constraints import read_lazy_constraints
from boardsat.base import scratch
from boardsat.base.errors import InputError, SolverError
from boardsat.generators import build, find, transform, write
from boardsat.instance.formula_file import FormulaFile, open_formula
from boardsat.instance.header_verification import rebuilds_identically, settings_from_header
from boardsat.workflows.solve.board_models import find_model
from boardsat.workflows.solve.checks import check_answer
from boardsat.workflows.solve.cut_rounds import answer_with_cuts, remaining_limits, total_usage
from boardsat.workflows.solve.request import SolveRequest, solve_unchecked


@contextmanager
def decided_formula(
    problem: FormulaFile, request: SolveRequest
) -> Iterator[tuple[FormulaFile, Answer]]:
    """The formula that the answer is about, and the answer, as the solver gave it."""
    answer = answer_with_cuts(problem, request)
    encoding = _instead(problem, answer)
    if encoding and not rebuilds_identically(problem):
        why = "the file cannot be built again from its header"
        fault = f"{answer.reason}; {encoding} is not solved instead, as {why}"
        answer, encoding = replace(answer, reason=fault), ""
    if encoding:
        with _otherwise(problem, encoding, request, answer) as found:
            yield found
    else:
        with problem.with_clauses(answer.cuts) as formula:
            yield formula, answer


def _instead(problem: FormulaFile, answer: Answer) -> str:
    """The encoding to solve instead of a lazy formula that was given up; empty if there is none."""
    if not answer.gave_up or not problem.header.lazy:
        return ""
    return read_lazy_constraints(problem.header, problem.path).otherwise


@contextmanager
def _otherwise(
    problem: FormulaFile, encoding: str, request: SolveRequest, before: Answer
) -> Iterator[tuple[FormulaFile, Answer]]:
    """The same of another encoding; a tour that it finds is a model of the lazy formula too."""
    with scratch.folder() as folder:
        try:
            other = _encoded(problem, encoding, folder)
        except InputError as error:
            reason = f"{before.reason}; {encoding} is not solved instead: {error}"
            with problem.with_clauses(before.cuts) as formula:
                yield formula, replace(before, reason=reason)
            return
        request = replace(request, limits=remaining_limits(request.limits, [before.usage]))
        answer = solve_unchecked(other, request)
        instead = str(other.header.about["spec"])
        used = total_usage([before.usage, answer.usage])
        found = replace(answer, usage=used, instead=instead)
        found = replace(found, rounds=before.rounds, gave_up=before.gave_up)
        if answer.status is not Status.SATISFIABLE:
            yield other, found
            return
        solution = check_answer(other, answer, request).solution
        model = find_model(problem, solution, request) if solution else None
        if model is None:
            raise SolverError(
                f"what {instead} found is not a model of this formula", "one of them has a bug"
            )
        with problem.with_clauses(before.cuts) as formula:
            yield formula, replace(found, model=model, cuts=before.cuts)


def _encoded(problem: FormulaFile, encoding: str, folder: Path) -> FormulaFile:
    """The problem that a header describes, in another encoding."""
    target = str(folder / "formula.cnf")
    spec = find(problem.header.problem, encoding)
    if not problem.generated_here:
        spec = spec.from_outside()
    built = build(spec, settings_from_header(spec, problem.header))
    write(transform(built, symmetry=bool(problem.header.symmetry)), target)
    other = open_formula(target, generated_here=True)
    if other.header.lazy:
        raise SolverError(f"{encoding} is lazy too", "raise its rounds", problem.path)
    return other

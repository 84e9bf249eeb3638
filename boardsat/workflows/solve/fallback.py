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
from boardsat.adapters.lazy_cuts.lazy_lines import read_lazy
from boardsat.base import scratch
from boardsat.base.errors import InputError, SolverError
from boardsat.generators import build, find, transform, write
from boardsat.instance.formula_file import Problem, open_problem
from boardsat.instance.header_verification import is_built_alike, settings_again
from boardsat.workflows.solve.board_models import model_of
from boardsat.workflows.solve.checks import examine
from boardsat.workflows.solve.cut_rounds import answer_of, left_of, together
from boardsat.workflows.solve.request import SolveRequest, ask, with_clauses


@contextmanager
def decided(problem: Problem, request: SolveRequest) -> Iterator[tuple[Problem, Answer]]:
    """The formula that the answer is about, and the answer, as the solver gave it."""
    answer = answer_of(problem, request)
    encoding = _instead(problem, answer)
    if encoding and not is_built_alike(problem):
        why = "the file cannot be built again from its header"
        fault = f"{answer.reason}; {encoding} is not solved instead, as {why}"
        answer, encoding = replace(answer, reason=fault), ""
    if encoding:
        with _otherwise(problem, encoding, request, answer) as found:
            yield found
    else:
        with with_clauses(problem, answer.cuts) as formula:
            yield formula, answer


def _instead(problem: Problem, answer: Answer) -> str:
    """The encoding to solve instead of a lazy formula that was given up; empty if there is none."""
    if not answer.gave_up or not problem.header.lazy:
        return ""
    return read_lazy(problem.header, problem.path).otherwise


@contextmanager
def _otherwise(
    problem: Problem, encoding: str, request: SolveRequest, before: Answer
) -> Iterator[tuple[Problem, Answer]]:
    """The same of another encoding; a tour that it finds is a model of the lazy formula too."""
    with scratch.folder() as folder:
        try:
            other = _encoded(problem, encoding, folder)
        except InputError as error:
            reason = f"{before.reason}; {encoding} is not solved instead: {error}"
            with with_clauses(problem, before.cuts) as formula:
                yield formula, replace(before, reason=reason)
            return
        request = replace(request, limits=left_of(request.limits, [before.usage]))
        answer = ask(other, request)
        instead = str(other.header.about["spec"])
        used = together([before.usage, answer.usage])
        found = replace(answer, usage=used, instead=instead)
        found = replace(found, rounds=before.rounds, gave_up=before.gave_up)
        if answer.status is not Status.SATISFIABLE:
            yield other, found
            return
        solution = examine(other, answer, request).solution
        model = model_of(problem, solution, request) if solution else None
        if model is None:
            raise SolverError(
                f"what {instead} found is not a model of this formula", "one of them has a bug"
            )
        with with_clauses(problem, before.cuts) as formula:
            yield formula, replace(found, model=model, cuts=before.cuts)


def _encoded(problem: Problem, encoding: str, folder: Path) -> Problem:
    """The problem that a header describes, in another encoding."""
    target = str(folder / "formula.cnf")
    spec = find(problem.header.problem, encoding)
    built = build(spec, settings_again(spec, problem.header))
    write(transform(built, symmetry=bool(problem.header.symmetry)), target)
    other = open_problem(target, own=True)
    if other.header.lazy:
        raise SolverError(f"{encoding} is lazy too", "raise its rounds", problem.path)
    return other

"""The solve workflow from its beginning: write the input of the solver, gather answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace

from boardsat.adapters import formats, solvers
from boardsat.adapters.runtimes import choose
from boardsat.adapters.solvers.capabilities import InputFormat
from boardsat.base import scratch
from boardsat.base.errors import BoardsatError, InputError
from boardsat.base.text import pluralize
from boardsat.clock import CommandLimitError, during, running
from boardsat.generators.spec.defaults import SOLVE
from boardsat.instance.file_types import PROGRAM_SUFFIX
from boardsat.instance.formula_file import FormulaFile, Instance, placeholder_instance
from boardsat.instance.header_verification import require_verified_header
from boardsat.instance.inputs import CatalogueInput, FileInput, FormulaInput, WorkflowInput
from boardsat.workflows.solve.checks import CheckedAnswer
from boardsat.workflows.solve.request import SolveRequest
from boardsat.workflows.solve.workflow import enumerate_models, solve_board

Working = Callable[[str], AbstractContextManager[object]]
"""Tells what is being done, for as long as it takes."""

USUAL = {"": "cadical", "wcnf": "rc2", "opb": "exact", "knf": "cadical"}
"""Solvers by what they read."""

Answers = tuple[Instance, list[CheckedAnswer]]


def answers(
    source: WorkflowInput, request: SolveRequest, most: int, method: str | None, working: Working
) -> Answers:
    """Up to so many different boards, and the instance that they are of."""
    ways = {
        InputFormat.CNF: _of_formula,
        InputFormat.PROGRAM: _of_program,
        InputFormat.BOARD: _of_board,
    }
    way = ways.get(solvers.load(request.solver).input_format, _of_objective)
    with running(request.limits):
        try:
            return way(source, request, most, method, working)
        except CommandLimitError as limit:
            return placeholder_instance(source.name), [_unanswered(request, limit)]


def default_solver(source: WorkflowInput) -> str:
    """Who is asked where nobody is named: one that reads the file, or optimises if it should."""
    form = formats.ending_of(source.name)
    if not form and isinstance(source, CatalogueInput):
        form = InputFormat.WCNF if source.spec(SOLVE).optimises else ""
    elif not form and isinstance(source, FormulaInput):
        form = InputFormat.WCNF if source.formula.objective else ""
    return USUAL[form]


def _unanswered(request: SolveRequest, limit: CommandLimitError) -> CheckedAnswer:
    solver = solvers.load(request.solver)
    return CheckedAnswer(limit.answer(solver, choose(solver, request.runtime)), None, (), ())


def reads_formula(solver: str) -> bool:
    """Whether what it reads is a formula, whatever the format."""
    return solvers.load(solver).input_format not in (InputFormat.PROGRAM, InputFormat.BOARD)


@contextmanager
def temporary_proof(request: SolveRequest) -> Iterator[SolveRequest]:
    """The same, to be proved: the proof lies in a file until it is checked."""
    with scratch.folder() as folder:
        yield replace(request, proof=str(folder / "proof"))


def _of_formula(
    source: WorkflowInput, request: SolveRequest, most: int, method: str | None, working: Working
) -> Answers:
    if request.output and most > 1:
        raise InputError("-o writes the formula of one board", "leave --models or -o out")
    if request.keep_proof and most > 1:
        raise InputError("--keep keeps the proof of one formula", "leave --models or --keep out")
    _refuse_program(source, request, method)
    with ExitStack() as stack:
        with during(source.activity):
            problem = stack.enter_context(source.formula_file(SOLVE))
        if problem.linear is not None:
            return problem, [_restated(problem, request, most)]
        stack.enter_context(working(f"{request.solver} on {pluralize(problem.clauses, 'clause')}"))
        return problem, _gathered(enumerate_models(problem, request, most), request)


def _restated(problem: FormulaFile, request: SolveRequest, most: int) -> CheckedAnswer:
    """Of a file that is not CNF: it is solved as clauses, and its model is checked as it stands."""
    from boardsat.workflows.solve.objectives import solve_as_clauses

    form = formats.ending_of(problem.path)
    assert problem.linear is not None
    if problem.linear.optimises:
        other = USUAL[form]
        raise InputError(f"{request.solver} reads CNF", f"take --solver {other}", problem.path)
    if most > 1:
        raise InputError("more than one board of a file that is not CNF", "leave --models out")
    return solve_as_clauses(problem, request)


def _of_objective(
    source: WorkflowInput, request: SolveRequest, most: int, method: str | None, working: Working
) -> Answers:
    """Of a solver that reads another format than CNF, and looks for the best model."""
    from boardsat.workflows.solve.objectives import optimize

    reads = solvers.load(request.solver).input_format
    if most > 1:
        raise InputError(f"{request.solver} finds one best board", "leave --models out")
    _refuse_program(source, request, method)
    if isinstance(source, FileInput) and formats.ending_of(source.name) != reads:
        raise InputError(
            f"{request.solver} reads {reads.upper()}",
            f"give a problem by its name, or a .{reads} file",
            source.name,
        )
    with ExitStack() as stack:
        with during(source.activity):
            problem = stack.enter_context(source.formula_file(SOLVE, reads))
        stack.enter_context(working(f"{request.solver} on {pluralize(problem.clauses, 'clause')}"))
        return problem, [optimize(problem, request)]


def _of_program(
    source: WorkflowInput, request: SolveRequest, most: int, method: str | None, working: Working
) -> Answers:
    from boardsat.workflows.solve import answer_sets

    _refuse_output(request)
    if not isinstance(source, CatalogueInput) and not source.name.endswith(PROGRAM_SUFFIX):
        raise InputError(
            f"{request.solver} reads programs",
            "give a problem by its name, or a .lp file",
            source.name,
        )
    with ExitStack() as stack:
        with during("the program was made"):
            program = stack.enter_context(source.program(method))
        stack.enter_context(working(f"{request.solver} on a program"))
        return program, _gathered(answer_sets.solve(program, request, most), request)


def _of_board(
    source: WorkflowInput, request: SolveRequest, most: int, method: str | None, working: Working
) -> Answers:
    _refuse_output(request)
    if most > 1:
        raise InputError(
            f"{request.solver} finds one board at a time", "leave --models out, and vary --seed"
        )
    _refuse_program(source, request, method)
    with during("the board was made"):
        instance = source.board()
    require_verified_header(instance)
    with working(f"{request.solver} on the board"):
        return instance, [solve_board(instance, request)]


def _refuse_program(source: WorkflowInput, request: SolveRequest, method: str | None) -> None:
    if method or source.name.endswith(PROGRAM_SUFFIX):
        raise InputError(f"{request.solver} reads no logic programs", "try --solver clingo")


def _refuse_output(request: SolveRequest) -> None:
    if request.output:
        raise InputError(f"{request.solver} decides no formula", "leave -o out")


def _gathered(found: Iterator[CheckedAnswer], request: SolveRequest) -> list[CheckedAnswer]:
    """All that is found, even if looking for more then fails."""
    results: list[CheckedAnswer] = []
    try:
        results.extend(found)
    except CommandLimitError as limit:
        results.append(_unanswered(request, limit))
    except (BoardsatError, KeyboardInterrupt) as error:
        if not results:
            raise
        results[-1] = replace(results[-1], failure=error)
    return results

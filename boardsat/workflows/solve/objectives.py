"""The solve workflow for solvers that optimise: the best model, its cost, and whether it is best.

That a model is the best one is the word of a solver. So another is asked for a better one, of
clauses that say so, and its answer can be proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from boardsat.adapters import formats, run_solver, solvers
from boardsat.adapters.answer import Answer, Model, Status
from boardsat.adapters.command_clock import CommandLimitError, during
from boardsat.adapters.dimacs.header import ObjectiveFunction
from boardsat.adapters.runtimes import Limits, Task, check_seed, choose
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.capabilities import AUTO, InputFormat, RuntimeName
from boardsat.adapters.solvers.requirements import (
    OutputKind,
    SolverRequirements,
    check_requirements,
)
from boardsat.base import scratch
from boardsat.base.errors import InputError, WrongAnswerError
from boardsat.base.text import pluralize
from boardsat.generators.spec.defaults import SOLVE
from boardsat.instance.cnf_conversion import better_than
from boardsat.instance.formula_file import FormulaFile, Instance
from boardsat.instance.inputs import FileInput, WorkflowInput, temporary_formula_file
from boardsat.workflows.solve.checks import check_model_and_board
from boardsat.workflows.solve.cnf import solve
from boardsat.workflows.solve.request import Progress, SolveRequest, select_requested_solver
from boardsat.workflows.solve.result import Check, CheckedAnswer

REFERENCE_SOLVER = "cadical"
"""Who is asked for a better model."""

OPTIMISED = (InputFormat.WCNF, InputFormat.OPB)
"""Formats with an objective; to others it is a comment."""


def select_optimizer(request: SolveRequest) -> tuple[Solver, RuntimeName]:
    """The solver and its runtime, if they can do what is asked."""
    solver = solvers.load(request.solver)
    check_requirements(solver, SolverRequirements(frozenset(), OutputKind.OPTIMUM))
    where = choose(solver, request.runtime)
    check_seed(solver, where, request.seed)
    select_requested_solver(_of_referee(request))
    return solver, where


def optimal_answers(
    source: WorkflowInput, request: SolveRequest, progress: Progress
) -> tuple[Instance, list[CheckedAnswer]]:
    """Return the instance of an input and the best model."""
    reads = solvers.load(request.solver).input_format
    if isinstance(source, FileInput) and formats.ending_of(source.name) != reads:
        raise InputError(
            f"{request.solver} reads {reads.upper()}",
            f"give a problem by its name, or a .{reads} file",
            source.name,
        )
    with ExitStack() as stack:
        with during(source.activity):
            problem = stack.enter_context(source.formula_file(SOLVE, reads))
        stack.enter_context(progress(f"{request.solver} on {pluralize(problem.clauses, 'clause')}"))
        return problem, [optimize(problem, request)]


def optimize(problem: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """The best model, checked as far as it can be."""
    solver, where = select_optimizer(request)
    linear = problem.linear
    assert linear is not None
    _refuse_lazy(problem)
    with _plain(problem) as path:
        task = Task(path, request.limits, request.seed, core=request.core)
        answer = run_solver.run_solver(solver, where, task, problem.variables, request.runtime)
    if answer.status is Status.UNSATISFIABLE:
        return _judged(problem, CheckedAnswer(answer, None, (), ()), None, request)
    if (model := answer.model) is None:
        return CheckedAnswer(answer, None, (), ())
    optimises = has_objective(problem)
    if not optimises and answer.status is Status.OPTIMUM:
        answer = replace(answer, status=Status.SATISFIABLE)
    with during(f"the model was checked ({answer.run.solver} says {answer.status.name})"):
        result = check_model_and_board(problem, answer, model)
        cost = _checked_cost(problem, answer, model)
    if not optimises:
        return result
    value = (problem.header.objective or ObjectiveFunction()).value(cost)
    result = replace(result, checked=(*result.checked, Check.COST), value=value)
    if answer.status is not Status.OPTIMUM or result.failure is not None:
        return result
    if cost == linear.paid:
        # Nobody can pay less than nothing.
        return replace(result, checked=(*result.checked, f"{Check.OPTIMUM} (nothing is paid)"))
    return _judged(problem, result, cost, request)


def has_objective(problem: FormulaFile) -> bool:
    """Whether a file asks for the best model, not for any."""
    if problem.linear is None or formats.ending_of(problem.path) not in OPTIMISED:
        return False
    # An objective may be a number alone, for which no soft clause stands.
    return problem.linear.optimises or problem.header.objective is not None


def solve_as_clauses(problem: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """One answer to a file that has sums, of a solver that has none, checked against the file."""
    _refuse_lazy(problem)
    with during("the sums were encoded"):
        formula = better_than(problem, None)
    with temporary_formula_file(formula, "none") as clauses:
        result = solve(clauses, request)
    answer = result.answer
    if answer.model is None:
        return result
    model = answer.model[: problem.variables + 1]
    return check_model_and_board(problem, replace(answer, model=model), model)


def _refuse_lazy(problem: FormulaFile) -> None:
    """What such a file leaves out, no solver that optimises would ask for."""
    if problem.header.lazy:
        raise InputError(
            "lazy: its cuts are found while solving, so it cannot be optimised",
            "use another encoding",
            problem.path,
        )


def _of_referee(request: SolveRequest) -> SolveRequest:
    """What another solver is asked; a library writes no proof, and is there always."""
    where = AUTO if request.proof else RuntimeName.EMBEDDED
    return replace(request, solver=REFERENCE_SOLVER, runtime=where, seed=None)


@contextmanager
def _plain(problem: FormulaFile) -> Iterator[str]:
    """A file that every solver reads alike: without comments, unless we have just written it."""
    form = formats.ending_of(problem.path)
    assert problem.linear is not None
    # A copy has no constant, and so what a solver says of one is what its model pays beside that.
    if problem.trusted and problem.path.endswith(form) and not problem.linear.paid:
        yield problem.path
        return
    with scratch.folder() as folder:
        path = str(folder / f"formula.{form}")
        scratch.write(path, formats.load(form).text(problem.linear))
        yield path


def _checked_cost(problem: FormulaFile, answer: Answer, model: Model) -> int:
    """What a model pays, by the file; a solver that says something else is wrong."""
    linear = problem.linear
    assert linear is not None
    cost = linear.cost(model)
    if answer.cost is not None and answer.cost + linear.paid != cost:
        raise WrongAnswerError(
            f"WRONG COST from {answer.run.solver}: it says {answer.cost + linear.paid}, and its "
            f"model pays {cost}",
            "keep the file: the solver or boardsat has a bug",
            scratch.preserve(problem.path),
        )
    return cost


def check_value(problem: FormulaFile, model: Model, value: int, who: str) -> None:
    """That a model of a file that asks for the best has a value; or an error."""
    assert problem.linear is not None
    found = (problem.header.objective or ObjectiveFunction()).value(problem.linear.cost(model))
    if found != value:
        raise WrongAnswerError(f"its value is {found}, not {value}", "keep it", who)


def check_best(problem: FormulaFile, model: Model, limits: Limits, who: str) -> None:
    """That no model of such a file is better; or an error."""
    assert problem.linear is not None
    cost = problem.linear.cost(model)
    if cost == problem.linear.paid:
        return
    with temporary_formula_file(better_than(problem, cost), "none") as better:
        request = SolveRequest(REFERENCE_SOLVER, RuntimeName.EMBEDDED, limits)
        status = solve(better, request).answer.status
    if status is Status.SATISFIABLE:
        raise WrongAnswerError(f"{REFERENCE_SOLVER} has found a better model", "keep it", who)
    if status is not Status.UNSATISFIABLE:
        raise InputError(f"{REFERENCE_SOLVER} does not know whether a model is better", "", who)


def _judged(
    problem: FormulaFile, result: CheckedAnswer, cost: int | None, request: SolveRequest
) -> CheckedAnswer:
    """The result, after another solver was asked for a better model, or for any."""
    what = Check.OPTIMUM if cost is not None else Check.ANSWER
    try:
        with during("clauses for a better model were made"):
            formula = better_than(problem, cost)
        with temporary_formula_file(formula, "none") as better:
            found = solve(better, _of_referee(request))
    except CommandLimitError:
        return replace(result, unchecked=(*result.unchecked, what))
    except InputError as error:
        return replace(result, unchecked=(*result.unchecked, what), failure=error)
    if found.answer.status is Status.SATISFIABLE:
        raise WrongAnswerError(
            f"NOT THE BEST from {result.answer.run.solver}: "
            f"{REFERENCE_SOLVER} has found a better model",
            "keep the file: the solver or boardsat has a bug",
            scratch.preserve(problem.path),
        )
    if found.answer.status is Status.UNKNOWN or found.failure is not None:
        unchecked = (*result.unchecked, what)
        return replace(result, unchecked=unchecked, failure=found.failure)
    proved = ", proved" if Check.PROOF in found.checked else ""
    none = "nothing better" if cost is not None else "no model either"
    return replace(
        result, checked=(*result.checked, f"{what} ({REFERENCE_SOLVER} finds {none}{proved})")
    )

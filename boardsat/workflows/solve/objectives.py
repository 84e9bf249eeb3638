"""Objectives: the best model, its cost, and the check that no model is better.

Optimality is claimed by the solver. So a second solver searches for a better model of clauses that
bound the cost, and its answer can be proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from boardsat.adapters import formats, run_solver, solvers
from boardsat.adapters.answer import Answer, Model, Status
from boardsat.adapters.command_clock import CommandLimitError, work_step
from boardsat.adapters.dimacs.header import ObjectiveFunction
from boardsat.adapters.runtimes import Limits, Task, check_seed, select_runtime
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.requirements import (
    InputFeature,
    OutputKind,
    SolverRequirements,
    check_requirements,
)
from boardsat.adapters.solvers.solver import AUTO, InputFormat, RuntimeName
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
"""Solver that searches for a better model."""

OPTIMISED = (InputFormat.WCNF, InputFormat.OPB)
"""Formats with an objective; in others it is a comment."""


def select_optimizer(request: SolveRequest) -> tuple[Solver, RuntimeName]:
    """Return the solver and its runtime; raise InputError if the solver does not optimize."""
    solver = solvers.load(request.solver)
    check_requirements(solver, SolverRequirements(frozenset(), OutputKind.OPTIMUM))
    where = select_runtime(solver, request.runtime)
    check_seed(solver, where, request.seed)
    select_requested_solver(_reference_request(request))
    return solver, where


def optimal_answers(
    source: WorkflowInput, request: SolveRequest, progress: Progress
) -> tuple[Instance, list[CheckedAnswer]]:
    """Return the instance of an input and the best model."""
    reads = solvers.load(request.solver).input_format
    if isinstance(source, FileInput) and formats.format_from_name(source.name) != reads:
        raise InputError(
            f"{request.solver} reads {reads.upper()}",
            f"give a problem by its name, or a .{reads} file",
            source.name,
        )
    with ExitStack() as stack:
        with work_step(source.activity):
            problem = stack.enter_context(source.formula_file(SOLVE, reads))
        stack.enter_context(progress(f"{request.solver} on {pluralize(problem.clauses, 'clause')}"))
        return problem, [optimize(problem, request)]


def optimize(problem: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """Return the best model, checked."""
    solver, where = select_optimizer(request)
    linear = problem.linear
    assert linear is not None
    check_requirements(
        solver,
        SolverRequirements(
            {InputFeature.LAZY} if problem.header.lazy else set(), OutputKind.OPTIMUM
        ),
        location=problem.path,
        alternative="use another encoding",
    )
    with _plain_file(problem) as path:
        task = Task(path, request.limits, request.seed, core=request.core)
        answer = run_solver.run_solver(solver, where, task, problem.variables, request.runtime)
    if answer.status is Status.UNSATISFIABLE:
        return _with_reference_answer(problem, CheckedAnswer(answer, None, (), ()), None, request)
    if (model := answer.model) is None:
        return CheckedAnswer(answer, None, (), ())
    optimises = has_objective(problem)
    if not optimises and answer.status is Status.OPTIMUM:
        answer = replace(answer, status=Status.SATISFIABLE)
    with work_step(f"the model was checked ({answer.run.solver} says {answer.status.name})"):
        result = check_model_and_board(problem, answer, model)
        cost = _checked_cost(problem, answer, model)
    if not optimises:
        return result
    value = (problem.header.objective or ObjectiveFunction()).value(cost)
    result = replace(result, checked=(*result.checked, Check.COST), value=value)
    if answer.status is not Status.OPTIMUM or result.failure is not None:
        return result
    if cost == linear.paid:
        # A cost cannot be below the constant.
        return replace(result, checked=(*result.checked, f"{Check.OPTIMUM} (nothing is paid)"))
    return _with_reference_answer(problem, result, cost, request)


def has_objective(problem: FormulaFile) -> bool:
    """Return whether a file has an objective, so that the best model is wanted."""
    if problem.linear is None or formats.format_from_name(problem.path) not in OPTIMISED:
        return False
    # A constant objective has no soft clause.
    return problem.linear.optimises or problem.header.objective is not None


def solve_as_clauses(problem: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """Encode the linear constraints of a file as clauses, solve them, and check the model."""
    if problem.header.lazy:
        raise InputError(
            "lazy constraints are only supported in CNF", "use another encoding", problem.path
        )
    with work_step("the sums were encoded"):
        formula = better_than(problem, None)
    with temporary_formula_file(formula, "none") as clauses:
        result = solve(clauses, request)
    answer = result.answer
    if answer.model is None:
        return result
    model = answer.model[: problem.variables + 1]
    return check_model_and_board(problem, replace(answer, model=model), model)


def _reference_request(request: SolveRequest) -> SolveRequest:
    """Return the request to the reference solver, which is embedded unless it writes a proof."""
    where = AUTO if request.proof else RuntimeName.EMBEDDED
    return replace(request, solver=REFERENCE_SOLVER, runtime=where, seed=None)


@contextmanager
def _plain_file(problem: FormulaFile) -> Iterator[str]:
    """Yield a file that every solver reads alike: a copy without comments unless it is trusted."""
    form = formats.format_from_name(problem.path)
    assert problem.linear is not None
    # A copy has no constant, so the cost that a solver reports excludes it.
    if problem.trusted and problem.path.endswith(form) and not problem.linear.paid:
        yield problem.path
        return
    with scratch.folder() as folder:
        path = str(folder / f"formula.{form}")
        scratch.write(path, formats.load(form).text(problem.linear))
        yield path


def _checked_cost(problem: FormulaFile, answer: Answer, model: Model) -> int:
    """Return the cost of a model; raise WrongAnswerError if the solver reports another."""
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
    """Raise WrongAnswerError if a model has another value of the objective."""
    assert problem.linear is not None
    found = (problem.header.objective or ObjectiveFunction()).value(problem.linear.cost(model))
    if found != value:
        raise WrongAnswerError(f"its value is {found}, not {value}", "keep it", who)


def check_best(problem: FormulaFile, model: Model, limits: Limits, who: str) -> None:
    """Raise WrongAnswerError if there is a better model, and InputError if that is not known."""
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


def _with_reference_answer(
    problem: FormulaFile, result: CheckedAnswer, cost: int | None, request: SolveRequest
) -> CheckedAnswer:
    """Return the result with the answer of the reference solver: no better model, or none."""
    what = Check.OPTIMUM if cost is not None else Check.ANSWER
    try:
        with work_step("clauses for a better model were made"):
            formula = better_than(problem, cost)
        with temporary_formula_file(formula, "none") as better:
            found = solve(better, _reference_request(request))
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

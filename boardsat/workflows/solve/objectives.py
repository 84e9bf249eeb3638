"""Objectives: optimization, and checks of the cost and of optimality.

Optimality is a claim of the solver. To check it, a second solver searches for a better model: the
formula gets clauses that bound the cost. If they are unsatisfiable, this can be proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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
from boardsat.instance.cnf_conversion import encode_below_cost
from boardsat.instance.formula_file import FormulaFile
from boardsat.instance.inputs import temporary_formula_file
from boardsat.workflows.solve.checks import check_model_and_board
from boardsat.workflows.solve.cnf import solve
from boardsat.workflows.solve.request import SolveRequest, select_requested_solver
from boardsat.workflows.solve.result import Check, CheckedAnswer

REFERENCE_SOLVER = "cadical"
"""Solver that searches for a better model."""

OBJECTIVE_FORMATS = (InputFormat.WCNF, InputFormat.OPB)
"""Formats with an objective; in other formats, an objective is only a comment."""


def select_optimizer(request: SolveRequest) -> tuple[Solver, RuntimeName]:
    """Return the solver and its runtime; raise InputError if the solver does not optimize."""
    solver = solvers.load(request.solver)
    check_requirements(solver, SolverRequirements(frozenset(), OutputKind.OPTIMUM))
    runtime = select_runtime(solver, request.runtime)
    check_seed(solver, runtime, request.seed)
    select_requested_solver(_reference_request(request))
    return solver, runtime


def optimize(formula: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """Find an optimal model of a formula with an objective, and check it.

    Parameters
    ----------
    formula : FormulaFile
        File of the format that the solver reads.
    request : SolveRequest
        Solver, runtime and limits. With a proof, the reference solver proves optimality.

    Returns
    -------
    CheckedAnswer
        Its `value` is the objective value; None if the file has no objective.

    Raises
    ------
    InputError
        The solver does not optimize, or the formula is lazy.
    WrongAnswerError
        The model or its cost is wrong, or a better model exists.
    """
    solver, runtime = select_optimizer(request)
    linear = formula.linear
    assert linear is not None
    features = {InputFeature.LAZY} if formula.header.lazy else set()
    check_requirements(
        solver,
        SolverRequirements(features, OutputKind.OPTIMUM),
        location=formula.path,
        alternative="use another encoding",
    )
    with _file_without_comments(formula) as path:
        task = Task(path, request.limits, request.seed, core=request.core)
        answer = run_solver.run_solver(solver, runtime, task, formula.variables, request.runtime)
    if answer.status is Status.UNSATISFIABLE:
        return _check_optimality(formula, CheckedAnswer(answer, None, (), ()), None, request)
    if (model := answer.model) is None:
        return CheckedAnswer(answer, None, (), ())
    optimises = has_objective(formula)
    if not optimises and answer.status is Status.OPTIMUM:
        answer = replace(answer, status=Status.SATISFIABLE)
    with work_step(f"the model was checked ({answer.run.solver} says {answer.status.name})"):
        result = check_model_and_board(formula, answer, model)
        cost = _checked_cost(formula, answer, model)
    if not optimises:
        return result
    value = (formula.header.objective or ObjectiveFunction()).value(cost)
    result = replace(result, checked=(*result.checked, Check.COST), value=value)
    if answer.status is not Status.OPTIMUM or result.failure is not None:
        return result
    if cost == linear.base_cost:
        # The constant is a lower bound of all costs.
        return replace(result, checked=(*result.checked, f"{Check.OPTIMUM} (least possible cost)"))
    return _check_optimality(formula, result, cost, request)


def has_objective(formula: FormulaFile) -> bool:
    """Return True if the formula is to be optimized: format and file both have an objective."""
    if formula.linear is None or formats.format_from_name(formula.path) not in OBJECTIVE_FORMATS:
        return False
    # A constant objective has no soft clause.
    return formula.linear.has_objective or formula.header.objective is not None


def solve_as_clauses(formula: FormulaFile, request: SolveRequest) -> CheckedAnswer:
    """Solve the linear constraints of a file as clauses, and check the model against the file."""
    if formula.header.lazy:
        raise InputError(
            "lazy constraints are only supported in CNF", "use another encoding", formula.path
        )
    with work_step("the linear constraints were encoded"):
        encoded = encode_below_cost(formula, None)
    with temporary_formula_file(encoded, "none") as clauses:
        result = solve(clauses, request)
    answer = result.answer
    if answer.model is None:
        return result
    model = answer.model[: formula.variables + 1]
    return check_model_and_board(formula, replace(answer, model=model), model)


def _reference_request(request: SolveRequest) -> SolveRequest:
    """Return the request to the reference solver, which is embedded unless it writes a proof."""
    runtime = AUTO if request.proof else RuntimeName.EMBEDDED
    return replace(request, solver=REFERENCE_SOLVER, runtime=runtime, seed=None)


@contextmanager
def _file_without_comments(formula: FormulaFile) -> Iterator[str]:
    """Yield the path of a file that is safe to read: the file if trusted, or a strict copy."""
    format_name = formats.format_from_name(formula.path)
    assert formula.linear is not None
    is_compressed = not formula.path.endswith(format_name)
    # A copy omits the constant of the objective, so the cost that a solver reports excludes it.
    if formula.trusted and not is_compressed and not formula.linear.base_cost:
        yield formula.path
        return
    with scratch.folder() as folder:
        path = str(folder / f"formula.{format_name}")
        scratch.write(path, formats.load(format_name).text(formula.linear))
        yield path


def _checked_cost(formula: FormulaFile, answer: Answer, model: Model) -> int:
    """Return the cost of a model; raise WrongAnswerError if the solver reports another."""
    linear = formula.linear
    assert linear is not None
    cost = linear.cost(model)
    if answer.cost is not None and answer.cost + linear.base_cost != cost:
        raise WrongAnswerError(
            f"WRONG COST from {answer.run.solver}: it reports "
            f"{answer.cost + linear.base_cost}, but its model costs {cost}",
            "keep the file: the solver or boardsat has a bug",
            scratch.preserve(formula.path),
        )
    return cost


def check_value(formula: FormulaFile, model: Model, value: int, source: str) -> None:
    """Raise WrongAnswerError if the objective value of a model differs from a recorded one.

    `source` is the file or run that the model is from.
    """
    assert formula.linear is not None
    true_value = (formula.header.objective or ObjectiveFunction()).value(formula.linear.cost(model))
    if true_value != value:
        raise WrongAnswerError(
            f"the objective value of its model is {true_value}, not {value}", "", source
        )


def check_best(formula: FormulaFile, model: Model, limits: Limits, source: str) -> None:
    """Raise WrongAnswerError if a better model exists, InputError if this remains undecided.

    `source` is the file or run that the model is from.
    """
    assert formula.linear is not None
    cost = formula.linear.cost(model)
    if cost == formula.linear.base_cost:
        return
    with temporary_formula_file(encode_below_cost(formula, cost), "none") as better:
        request = SolveRequest(REFERENCE_SOLVER, RuntimeName.EMBEDDED, limits)
        status = solve(better, request).answer.status
    if status is Status.SATISFIABLE:
        raise WrongAnswerError(f"{REFERENCE_SOLVER} found a better model", "", source)
    if status is not Status.UNSATISFIABLE:
        raise InputError(
            f"{REFERENCE_SOLVER} did not decide whether a better model exists", "", source
        )


def _check_optimality(
    formula: FormulaFile, result: CheckedAnswer, cost: int | None, request: SolveRequest
) -> CheckedAnswer:
    """Check that the reference solver finds no better model, and add this check to the result.

    With `cost` None, UNSATISFIABLE is checked: the reference solver must find no model at all.
    """
    check = Check.OPTIMUM if cost is not None else Check.ANSWER
    unchecked = replace(result, unchecked=(*result.unchecked, check))
    try:
        with work_step("clauses for a better model were made"):
            bounded = encode_below_cost(formula, cost)
        with temporary_formula_file(bounded, "none") as better:
            reference = solve(better, _reference_request(request))
    except CommandLimitError:
        return unchecked
    except InputError as error:
        return replace(unchecked, failure=error)
    if reference.answer.status is Status.SATISFIABLE:
        raise WrongAnswerError(
            f"NOT THE BEST from {result.answer.run.solver}: "
            f"{REFERENCE_SOLVER} found a better model",
            "keep the file: the solver or boardsat has a bug",
            scratch.preserve(formula.path),
        )
    if reference.answer.status is Status.UNKNOWN or reference.failure is not None:
        return replace(unchecked, failure=reference.failure)
    proved = ", proved" if Check.PROOF in reference.checked else ""
    finding = "nothing better" if cost is not None else "no model either"
    confirmed = f"{check} ({REFERENCE_SOLVER} finds {finding}{proved})"
    return replace(result, checked=(*result.checked, confirmed))

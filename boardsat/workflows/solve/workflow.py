"""Solve workflow: open the input of the solver, run it, and gather checked answers.

A plain CNF takes the shortest way: `find_boards`, `enumerate_models`, `cnf.solve`, the runtime and
its parser, checks. Solvers that read another format, a logic program or the board branch off first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace

import numpy as np

from boardsat.adapters import formats, solvers
from boardsat.adapters.command_clock import CommandLimitError, limited_command, work_step
from boardsat.adapters.runtimes import select_runtime
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.requirements import (
    InputFeature,
    OutputKind,
    SolverRequirements,
    check_requirements,
    format_features,
)
from boardsat.adapters.solvers.solver import InputFormat
from boardsat.base.errors import BoardsatError, InputError
from boardsat.base.text import pluralize
from boardsat.generators.spec.defaults import SOLVE
from boardsat.instance.file_types import PROGRAM_SUFFIX
from boardsat.instance.formula_file import FormulaFile, Instance, placeholder_instance
from boardsat.instance.inputs import CatalogueInput, FormulaInput, WorkflowInput
from boardsat.workflows.solve.cnf import solve
from boardsat.workflows.solve.request import Progress, SolveRequest
from boardsat.workflows.solve.result import CheckedAnswer

DEFAULT_SOLVERS = {"": "cadical", "wcnf": "rc2", "opb": "exact", "knf": "cadical"}
"""Default solver of each format; empty: CNF."""


def find_boards(
    source: WorkflowInput,
    request: SolveRequest,
    max_boards: int,
    method: str | None,
    progress: Progress,
) -> tuple[Instance, list[CheckedAnswer]]:
    """Find different boards of an instance.

    Parameters
    ----------
    source : WorkflowInput
        Problem, file or formula.
    request : SolveRequest
        Solver, runtime, limits and proof.
    max_boards : int
        Number of boards to find at most.
    method : str, optional
        Method of the logic program.
    progress : callable
        Returns a context manager that displays the current step.

    Returns
    -------
    tuple of Instance and list of CheckedAnswer
        The last answer is UNSATISFIABLE if there are no more boards. If finding another board
        fails, the error is the `failure` of the last answer.

    Raises
    ------
    InputError
        The solver cannot do what is requested.
    WrongAnswerError
        The first answer failed a check.
    """
    solver = solvers.load(request.solver)
    instance: Instance = placeholder_instance(source.name)
    results: list[CheckedAnswer] = []
    with limited_command(request.limits), ExitStack() as stack:
        try:
            _check_request(solver, source, request, max_boards, method)
            match solver.input_format:
                case InputFormat.CNF:
                    instance, answers = _cnf_answers(source, request, max_boards, progress, stack)
                case InputFormat.PROGRAM:
                    from boardsat.workflows.solve.logic_programs import program_answers

                    instance, answers = program_answers(
                        source, request, max_boards, method, progress, stack
                    )
                case InputFormat.BOARD:
                    from boardsat.workflows.solve.board_solvers import board_answers

                    instance, answers = board_answers(source, request, progress)
                case _:
                    from boardsat.workflows.solve.objectives import optimal_answers

                    instance, answers = optimal_answers(source, request, progress)
            for result in answers:
                results.append(result)
        except CommandLimitError as limit:
            where = select_runtime(solver, request.runtime)
            results.append(CheckedAnswer(limit.answer(solver, where), None, (), ()))
        except (BoardsatError, KeyboardInterrupt) as error:
            if not results:
                raise
            results[-1] = replace(results[-1], failure=error)
    return instance, results


def _check_request(
    solver: Solver,
    source: WorkflowInput,
    request: SolveRequest,
    max_boards: int,
    method: str | None,
) -> None:
    """Raise InputError if the solver does not read the input, or cannot do what is requested."""
    reads, name = solver.input_format, request.solver
    is_program = source.name.endswith(PROGRAM_SUFFIX)
    if request.output and reads in (InputFormat.PROGRAM, InputFormat.BOARD):
        raise InputError(f"{name} decides no formula", "leave -o out")
    if max_boards > 1:
        if reads is InputFormat.CNF and request.output:
            raise InputError("-o writes the formula of one board", "leave --models or -o out")
        if reads is InputFormat.CNF and request.keep_proof:
            raise InputError(
                "--proof-file keeps the proof of one formula", "leave --models or --proof-file out"
            )
        if reads is InputFormat.BOARD:
            raise InputError(
                f"{name} finds one board at a time", "leave --models out, and vary --seed"
            )
        if reads in (InputFormat.WCNF, InputFormat.OPB):
            raise InputError(f"{name} finds one best board", "leave --models out")
    if reads is InputFormat.PROGRAM:
        if not isinstance(source, CatalogueInput) and not is_program:
            check_requirements(
                solver,
                SolverRequirements(format_features(formats.format_from_name(source.name))),
                location=source.name,
                alternative="give a problem by its name, or a .lp file",
            )
    elif method or is_program:
        check_requirements(solver, SolverRequirements({InputFeature.PROGRAM}))


def _cnf_answers(
    source: WorkflowInput,
    request: SolveRequest,
    max_boards: int,
    progress: Progress,
    stack: ExitStack,
) -> tuple[Instance, Iterable[CheckedAnswer]]:
    """Open a formula and return its answers; the stack closes the file."""
    with work_step(source.activity):
        problem = stack.enter_context(source.formula_file(SOLVE))
    if problem.linear is not None:
        return problem, [_answer_as_cnf(problem, request, max_boards)]
    stack.enter_context(progress(f"{request.solver} on {pluralize(problem.clauses, 'clause')}"))
    return problem, enumerate_models(problem, request, max_boards)


def _answer_as_cnf(problem: FormulaFile, request: SolveRequest, max_boards: int) -> CheckedAnswer:
    """Encode a file of another format as CNF; the model is checked against the file."""
    from boardsat.workflows.solve.objectives import solve_as_clauses

    assert problem.linear is not None
    if problem.linear.optimises:
        features = format_features(formats.format_from_name(problem.path))
        wanted = SolverRequirements(features, OutputKind.OPTIMUM)
        check_requirements(solvers.load(request.solver), wanted, location=problem.path)
    if max_boards > 1:
        raise InputError("more than one board of a file that is not CNF", "leave --models out")
    return solve_as_clauses(problem, request)


def enumerate_models(
    problem: FormulaFile, request: SolveRequest, max_models: int
) -> Iterator[CheckedAnswer]:
    """Yield models that differ on the projection, each blocked by a clause; UNSAT may be last."""
    blocking: list[list[int]] = []
    if max_models > 1:
        # An invalid projection is an error before the work.
        lazy = problem.header.lazy
        projection = problem.decision_variables() if lazy else problem.projection()
    for number in range(1, max_models + 1):
        with problem.with_clauses(blocking) as remaining:
            result = solve(remaining, request)
        yield result
        if result.answer.model is None or number == max_models:
            return
        values = result.answer.model[projection].astype(np.int64)
        blocking.append((-values * projection).tolist())


def default_solver(source: WorkflowInput) -> str:
    """Return the default solver: one that reads the file, or optimizes an objective."""
    format_name = formats.format_from_name(source.name)
    if not format_name and isinstance(source, CatalogueInput):
        format_name = InputFormat.WCNF if source.spec(SOLVE).optimises else ""
    elif not format_name and isinstance(source, FormulaInput):
        format_name = InputFormat.WCNF if source.formula.objective else ""
    return DEFAULT_SOLVERS[format_name]


def reads_formula(solver: str) -> bool:
    """Return whether a solver reads a formula, of any format."""
    return solvers.load(solver).input_format not in (InputFormat.PROGRAM, InputFormat.BOARD)

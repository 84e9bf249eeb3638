"""Solve workflow: open the input of the solver, run it, and collect checked answers.

For a plain CNF, `find_boards` calls `enumerate_answers`, and this calls `solve` for each answer.
Solvers that read another format, a logic program or the board are handled separately.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack, nullcontext
from dataclasses import replace

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
from boardsat.instance.inputs import CatalogueInput, FileInput, FormulaInput, WorkflowInput
from boardsat.workflows.solve.cnf import enumerate_answers
from boardsat.workflows.solve.request import Progress, SolveRequest
from boardsat.workflows.solve.result import CheckedAnswer

FORMULA_FORMATS = (InputFormat.CNF, InputFormat.WCNF, InputFormat.OPB)
"""Formats of solvers that read a formula."""


def find_boards(
    source: WorkflowInput, request: SolveRequest, progress: Progress = nullcontext
) -> tuple[Instance, list[CheckedAnswer]]:
    """Find different boards of an instance, or an optimal one if it has an objective.

    Parameters
    ----------
    source : WorkflowInput
        Problem, file or formula.
    request : SolveRequest
        Solver, runtime, limits, proof and the maximum number of boards.
    progress : callable
        Returns a context manager that displays the current step.

    Returns
    -------
    tuple of Instance and list of CheckedAnswer
        The last answer is UNSATISFIABLE if there are no more boards, and UNKNOWN if a limit was
        reached. If a later board fails a check, the error is the `failure` of the last answer.

    Raises
    ------
    InputError
        The solver cannot do what is requested.
    WrongAnswerError
        The first answer failed a check.
    """
    solver = solvers.load(request.solver)
    instance: Instance = placeholder_instance(source.name)
    answers: Iterable[CheckedAnswer]
    results: list[CheckedAnswer] = []
    with limited_command(request.limits), ExitStack() as stack:
        try:
            _check_request(solver, source, request)
            match solver.input_format:
                case InputFormat.PROGRAM:
                    from boardsat.workflows.solve.programs_and_boards import solve_program

                    with work_step("the program was made"):
                        program = stack.enter_context(source.program(request.method))
                    stack.enter_context(progress(f"{request.solver} on a program"))
                    instance, answers = program, solve_program(program, request)
                case InputFormat.BOARD:
                    from boardsat.instance.header_verification import require_verified_header
                    from boardsat.workflows.solve.programs_and_boards import solve_board

                    with work_step("the board was made"):
                        instance = source.board()
                    require_verified_header(instance)
                    stack.enter_context(progress(f"{request.solver} on the board"))
                    answers = [solve_board(instance, request)]
                case reads:
                    format_name = "" if reads is InputFormat.CNF else reads
                    with work_step(source.activity):
                        formula = stack.enter_context(source.formula_file(SOLVE, format_name))
                    size = pluralize(formula.clauses, "clause")
                    stack.enter_context(progress(f"{request.solver} on {size}"))
                    instance, answers = formula, _formula_answers(formula, solver, request)
            for answer in answers:
                results.append(answer)
        except CommandLimitError as limit:
            runtime = select_runtime(solver, request.runtime)
            results.append(CheckedAnswer(limit.answer(solver, runtime), None, (), ()))
        except (BoardsatError, KeyboardInterrupt) as error:
            if not results:
                raise
            results[-1] = replace(results[-1], failure=error)
    return instance, results


def _formula_answers(
    formula: FormulaFile, solver: Solver, request: SolveRequest
) -> Iterable[CheckedAnswer]:
    """Return the answers to a formula; those to a CNF are found one by one while iterating."""
    if formula.linear is None:
        return enumerate_answers(formula, request)
    from boardsat.workflows.solve.objectives import optimize, solve_as_clauses

    if solver.input_format is not InputFormat.CNF:
        return [optimize(formula, request)]
    if formula.linear.has_objective:
        features = format_features(formats.format_from_name(formula.path))
        optimum = SolverRequirements(features, OutputKind.OPTIMUM)
        check_requirements(solver, optimum, location=formula.path)
    if request.max_boards > 1:
        raise InputError("only one board of a file that is not CNF can be found", "omit --models")
    return [solve_as_clauses(formula, request)]


def _check_request(solver: Solver, source: WorkflowInput, request: SolveRequest) -> None:
    """Raise InputError if the solver does not read the input, or cannot do what is requested."""
    reads, name = solver.input_format, request.solver
    is_program = source.name.endswith(PROGRAM_SUFFIX)
    if request.output and reads not in FORMULA_FORMATS:
        raise InputError(f"{name} does not read a formula that could be written", "omit -o")
    if request.max_boards > 1:
        _check_many_boards(reads, request)
    if reads is InputFormat.PROGRAM:
        if not isinstance(source, CatalogueInput) and not is_program:
            check_requirements(
                solver,
                SolverRequirements(format_features(formats.format_from_name(source.name))),
                location=source.name,
                alternative="give a problem by its name, or a .lp file",
            )
    elif request.method or is_program:
        check_requirements(solver, SolverRequirements({InputFeature.PROGRAM}))
    is_other_format = (
        isinstance(source, FileInput) and formats.format_from_name(source.name) != reads
    )
    if reads in (InputFormat.WCNF, InputFormat.OPB) and is_other_format:
        raise InputError(
            f"{name} reads {reads.upper()}",
            f"give a problem by its name, or a .{reads} file",
            source.name,
        )


def _check_many_boards(reads: InputFormat, request: SolveRequest) -> None:
    """Raise InputError if the solver or an option allows only one board."""
    match reads:
        case InputFormat.CNF if request.output:
            raise InputError("-o writes the formula of a single board", "omit -o or --models")
        case InputFormat.CNF if request.keep_proof:
            raise InputError(
                "--proof-file stores the proof of a single formula", "omit it, or --models"
            )
        case InputFormat.BOARD:
            raise InputError(
                f"{request.solver} finds one board at a time",
                "replace --models by runs with --seed",
            )
        case InputFormat.WCNF | InputFormat.OPB:
            raise InputError(f"{request.solver} finds a single best board", "omit --models")


def default_solver(source: WorkflowInput) -> str:
    """Return the default solver: one that reads the file, or optimizes an objective."""
    format_name = formats.format_from_name(source.name)
    if not format_name and isinstance(source, CatalogueInput):
        format_name = InputFormat.WCNF if source.spec(SOLVE).optimises else ""
    elif not format_name and isinstance(source, FormulaInput):
        format_name = InputFormat.WCNF if source.formula.objective else ""
    features = format_features(format_name)
    if InputFeature.OBJECTIVE not in features:
        return "cadical"
    return "exact" if InputFeature.LINEAR in features else "rc2"


def reads_formula(solver: str) -> bool:
    """Return True if a solver reads a formula, of any format."""
    return solvers.load(solver).input_format in FORMULA_FORMATS

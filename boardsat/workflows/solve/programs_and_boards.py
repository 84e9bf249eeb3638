"""Logic programs: every answer set is checked as a board."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

from boardsat.adapters import command_clock, run_solver, solvers
from boardsat.adapters.answer import Status
from boardsat.adapters.runtimes import Task, check_seed, select_runtime
from boardsat.adapters.solvers.requirements import (
    InputFeature,
    OutputKind,
    SolverRequirements,
    check_requirements,
)
from boardsat.adapters.views.decoder import decode_answer_set
from boardsat.adapters.views.solution import Solution
from boardsat.instance.formula_file import Instance, ProgramFile
from boardsat.instance.inputs import WorkflowInput
from boardsat.workflows.solve.checks import check_rules
from boardsat.workflows.solve.request import Progress, SolveRequest
from boardsat.workflows.solve.result import Check, CheckedAnswer


def program_answers(
    source: WorkflowInput,
    request: SolveRequest,
    max_boards: int,
    method: str | None,
    progress: Progress,
    stack: ExitStack,
) -> tuple[Instance, Iterator[CheckedAnswer]]:
    """Open the logic program of an input and return its answers; the stack closes the file."""
    with command_clock.work_step("the program was made"):
        program = stack.enter_context(source.program(method))
    stack.enter_context(progress(f"{request.solver} on a program"))
    return program, solve_program(program, request, max_boards)


def solve_program(
    program: ProgramFile, request: SolveRequest, max_boards: int = 1
) -> Iterator[CheckedAnswer]:
    """Yield different boards, all found by one run; one answer without a board if there is none."""
    solver = solvers.load(request.solver)
    features = frozenset([InputFeature.PROGRAM])
    check_requirements(solver, SolverRequirements(features))
    if request.proof:
        check_requirements(solver, SolverRequirements(features, OutputKind.PROOF))
    where = select_runtime(solver, request.runtime)
    check_seed(solver, where, request.seed)
    task = Task(
        program.path, request.limits, request.seed, models=max_boards, heuristic=program.heuristic
    )
    answer = run_solver.run_solver(solver, where, task, 0, request.runtime)
    if answer.status is Status.UNSATISFIABLE:
        yield CheckedAnswer(answer, None, (), (Check.PROOF,))
    if answer.status is Status.UNKNOWN:
        yield CheckedAnswer(answer, None, (), ())
    for atoms in answer.answer_sets:
        solution = decode_answer_set(program.header, atoms)
        one = replace(answer, answer_sets=(atoms,))
        if solution is None or not check_board(program, solution):
            yield CheckedAnswer(one, solution, (), (Check.BOARD,))
        else:
            yield CheckedAnswer(one, solution, (Check.BOARD,), ())


def check_board(program: ProgramFile, solution: Solution) -> bool:
    """Return whether the problem has rules; raise WrongBoardError if the board violates them."""
    alarm = "WRONG BOARD: it is an answer set of the program, but"
    return check_rules(program, solution, alarm, "the program has a bug")

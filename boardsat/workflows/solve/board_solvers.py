"""Solvers that read the board itself, such as heuristics for tours: the answer is a tour."""

from __future__ import annotations

from boardsat.adapters import command_clock, run_solver
from boardsat.adapters.runtimes import Task
from boardsat.instance.formula_file import Instance, board_file
from boardsat.instance.header_verification import require_verified_header
from boardsat.instance.inputs import WorkflowInput
from boardsat.workflows.solve.checks import check_board_answer
from boardsat.workflows.solve.request import Progress, SolveRequest, select_requested_solver
from boardsat.workflows.solve.result import CheckedAnswer


def board_answers(
    source: WorkflowInput, request: SolveRequest, progress: Progress
) -> tuple[Instance, list[CheckedAnswer]]:
    """Return the board of an input and an answer."""
    with command_clock.work_step("the board was made"):
        instance = source.board()
    require_verified_header(instance)
    with progress(f"{request.solver} on the board"):
        return instance, [solve_board(instance, request)]


def solve_board(instance: Instance, request: SolveRequest) -> CheckedAnswer:
    """Return one answer of a solver that reads the board, checked."""
    solver, where = select_requested_solver(request)
    board = instance.board_for(solver)
    with board_file(instance) as path:
        task = Task(path, request.limits, request.seed, core=request.core)
        answer = run_solver.run_solver(solver, where, task, board.cells, request.runtime)
    return check_board_answer(instance, board, answer)

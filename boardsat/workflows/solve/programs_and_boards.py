"""Solvers that read a logic program or the board itself, not a formula.

An answer set is decoded to a board, a heuristic returns a tour. Both are checked by the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from boardsat.adapters import run_solver, solvers
from boardsat.adapters.answer import Status
from boardsat.adapters.runtimes import Task, check_seed, select_runtime
from boardsat.adapters.solvers.requirements import (
    InputFeature,
    OutputKind,
    SolverRequirements,
    check_requirements,
)
from boardsat.adapters.views import Solution
from boardsat.adapters.views.decoder import decode_answer_set
from boardsat.instance.formula_file import Instance, ProgramFile, board_file
from boardsat.workflows.solve.checks import check_board_answer, check_rules
from boardsat.workflows.solve.request import SolveRequest, select_requested_solver
from boardsat.workflows.solve.result import Check, CheckedAnswer


def solve_board(instance: Instance, request: SolveRequest) -> CheckedAnswer:
    """Run a solver that reads the board, such as a heuristic for tours, and check its answer."""
    solver, runtime = select_requested_solver(request)
    board = instance.board_for(solver)
    with board_file(instance) as path:
        task = Task(path, request.limits, request.seed, core=request.core)
        answer = run_solver.run_solver(solver, runtime, task, board.cells, request.runtime)
    return check_board_answer(instance, board, answer)


def solve_program(program: ProgramFile, request: SolveRequest) -> Iterator[CheckedAnswer]:
    """Run clingo once and yield its answer sets as checked boards.

    Yield a single answer without a board if there is no answer set, or if a limit was reached.
    """
    solver = solvers.load(request.solver)
    features = frozenset([InputFeature.PROGRAM])
    check_requirements(solver, SolverRequirements(features))
    if request.proof:
        check_requirements(solver, SolverRequirements(features, OutputKind.PROOF))
    runtime = select_runtime(solver, request.runtime)
    check_seed(solver, runtime, request.seed)
    task = Task(
        program.path,
        request.limits,
        request.seed,
        models=request.max_boards,
        heuristic=program.heuristic,
    )
    answer = run_solver.run_solver(solver, runtime, task, 0, request.runtime)
    if answer.status is Status.UNSATISFIABLE:
        yield CheckedAnswer(answer, None, (), (Check.PROOF,))
    if answer.status is Status.UNKNOWN:
        yield CheckedAnswer(answer, None, (), ())
    for atoms in answer.answer_sets:
        solution = decode_answer_set(program.header, atoms)
        single_answer = replace(answer, answer_sets=(atoms,))
        if solution is None or not check_program_board(program, solution):
            yield CheckedAnswer(single_answer, solution, (), (Check.BOARD,))
        else:
            yield CheckedAnswer(single_answer, solution, (Check.BOARD,), ())


def check_program_board(program: ProgramFile, solution: Solution) -> bool:
    """Return whether the problem has rules; raise WrongBoardError if the board violates them."""
    alarm = "WRONG BOARD: it is an answer set of the program, but"
    return check_rules(program, solution, alarm, "the program has a bug")

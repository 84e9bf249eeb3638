"""The solve workflow for solvers of logic programs: every answer set is checked as a board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from boardsat import clock
from boardsat.adapters import solvers
from boardsat.adapters.answer import Status
from boardsat.adapters.runtimes import Task, check_seed, choose
from boardsat.adapters.solvers.capabilities import InputFormat
from boardsat.adapters.views.decoder import decode_answer_set
from boardsat.adapters.views.solution import Solution
from boardsat.base.errors import InputError
from boardsat.instance.formula_file import ProgramFile
from boardsat.workflows.solve.checks import Check, CheckedAnswer, check_rules
from boardsat.workflows.solve.request import SolveRequest


def solve(program: ProgramFile, request: SolveRequest, most: int = 1) -> Iterator[CheckedAnswer]:
    """Up to so many different boards, all of one run; one result where there is none."""
    solver = solvers.load(request.solver)
    if solver.input_format is not InputFormat.PROGRAM:
        raise InputError(f"{solver.name} reads no programs", "try clingo")
    if request.proof:
        raise InputError(f"{solver.name} writes no proofs", "try cadical or kissat")
    where = choose(solver, request.runtime)
    check_seed(solver, where, request.seed)
    task = Task(
        program.path, request.limits, request.seed, models=most, heuristic=program.heuristic
    )
    answer = clock.solve(solver, where, task, variables=0, wanted=request.runtime)
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
    """Whether the rules were known and hold: what else there is to check of an answer set."""
    alarm = "WRONG BOARD: it is an answer set of the program, but"
    return check_rules(program, solution, alarm, "the program has a bug")

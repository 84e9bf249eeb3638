"""Show the board of an answer that any solver gave to a file.

Examples:
    cadical tour.cnf | boardsat decode tour.cnf
    boardsat decode tour.cnf answer.txt --svg tour.svg
    clingo tour.lp | boardsat decode tour.lp
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from boardsat.commands import _answer, _output, _running
from boardsat.endings import PROGRAM

if TYPE_CHECKING:
    from adapters.decode import Solution
    from boardsat.problem import Problem, Program

EXIT_CODES = {0: "the answer is right, and shown", 1: "the answer is wrong"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _answer.add_arguments(parser, answer_needed=False)
    parser.add_argument("--svg", metavar="FILE", help="draw the board there")


def run(options: argparse.Namespace) -> int:
    from adapters.draw import text
    from adapters.svg import svg

    _output.check(options)
    is_program = options.file.endswith(PROGRAM)
    problem, solution = (_of_program if is_program else _of_formula)(options)
    closed = problem.header.closed
    print(text(solution, closed))
    _running.print_notes(problem)
    if options.svg:
        _output.write(options.svg, svg(solution, closed))
    return 0


def _of_formula(options: argparse.Namespace) -> tuple[Problem, Solution]:
    from adapters.decode import decode
    from boardsat.problem import open_problem
    from boardsat.solving import check_model, check_rules

    problem = open_problem(options.file, lenient=options.lenient)
    model = _answer.model_from(options, problem.variables)
    solution = _readable(decode(problem.header, model), options)
    check_model(problem, model, options.answer)
    check_rules(problem, solution)
    return problem, solution


def _of_program(options: argparse.Namespace) -> tuple[Program, Solution]:
    """The first answer set of clingo's output."""
    from adapters.decode import decode_answer_set
    from adapters.errors import AdapterError
    from boardsat.answer_sets import check_board
    from boardsat.problem import open_program

    _running.refuse_lenient(options)
    program = open_program(options.file)
    said = _answer.read(options, 0, "clingo")
    if not said.answer_sets:
        raise AdapterError(
            "the answer has no answer set", "give what clingo prints", options.answer
        )
    solution = _readable(decode_answer_set(program.header, said.answer_sets[0]), options)
    check_board(program, solution)
    return program, solution


def _readable(solution: Solution | None, options: argparse.Namespace) -> Solution:
    from adapters.errors import AdapterError

    if solution is None:
        raise AdapterError(
            "the file does not say how to read a model", "was it made by boardsat?", options.file
        )
    return solution

"""Show the board of an answer that any solver gave to a file.

Examples:
    cadical tour.cnf | boardsat decode tour.cnf
    boardsat decode tour.cnf answer.txt --svg tour.svg
    clingo tour.lp | boardsat decode tour.lp

Where the file does not say how to draw a board, it shows what holds, in the words of the spec; of a
file from elsewhere, the literals.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from boardsat.commands import _answer, _output, _running
from boardsat.endings import PROGRAM

if TYPE_CHECKING:
    from adapters.decode import Solution
    from boardsat.problem import Instance

    Shown = tuple[Instance, Solution | None, list[str]]
    """The instance, its board, and what holds, for where there is none."""

EXIT_CODES = {0: "the answer is right, and shown", 1: "the answer is wrong"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _answer.add_arguments(parser, answer_needed=False)
    parser.add_argument("--svg", metavar="FILE", help="draw the board there")


def run(options: argparse.Namespace) -> int:
    from adapters.answer import Status
    from boardsat.showing import board_text

    _output.check(options)
    is_program = options.file.endswith(PROGRAM)
    instance, solution, held = (_of_program if is_program else _of_formula)(options)
    print("\n".join(held) if solution is None else board_text(solution, instance.header))
    _running.print_notes(instance)
    if options.svg:
        _output.draw(options.svg, solution, Status.SATISFIABLE, instance)
    return 0


def _of_formula(options: argparse.Namespace) -> Shown:
    from adapters import meanings
    from adapters.decode import decode
    from boardsat.problem import open_problem
    from boardsat.solving import check_model, check_rules

    problem = open_problem(options.file, lenient=options.lenient)
    model = _answer.model_from(options, problem.variables)
    solution = decode(problem.header, model)
    check_model(problem, model, options.answer)
    if solution is not None:
        check_rules(problem, solution)
    return problem, solution, meanings.lines_of(problem.header, model)


def _of_program(options: argparse.Namespace) -> Shown:
    """The first answer set of clingo's output."""
    from adapters import meanings
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
    solution = decode_answer_set(program.header, said.answer_sets[0])
    if solution is not None:
        check_board(program, solution)
    return program, solution, meanings.atoms_of(said.answer_sets[0])

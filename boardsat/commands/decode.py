"""Show the board of an answer that any solver gave to a file.

Examples:
    cadical tour.cnf | boardsat decode tour.cnf
    boardsat decode tour.cnf answer.txt --svg tour.svg
"""

from __future__ import annotations

import argparse

from boardsat.commands import _answer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _answer.add_arguments(parser, answer_needed=False)
    parser.add_argument("--svg", metavar="FILE", help="draw the board there")


def run(options: argparse.Namespace) -> int:
    from adapters.decode import decode
    from adapters.draw import text
    from adapters.errors import AdapterError
    from adapters.svg import svg
    from boardsat.problem import open_problem
    from boardsat.solving import check_model, check_rules

    problem = open_problem(options.file)
    model = _answer.model_from(options, problem.variables)
    solution = decode(problem.header, model)
    if solution is None:
        raise AdapterError(
            "the file does not say how to read a model", "was it made by boardsat?", options.file
        )
    check_model(problem, model, options.answer)
    check_rules(problem, solution)
    closed = bool(problem.header.parameters.get("closed", True))
    if options.svg:
        from pathlib import Path

        Path(options.svg).write_text(svg(solution, closed), "utf-8")
    print(text(solution, closed))
    return 0

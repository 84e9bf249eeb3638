"""Decode the answer of any solver to a board, and show it.

Examples:
    cadical tour.cnf | boardsat decode tour.cnf
    boardsat decode tour.cnf answer.txt --svg tour.svg
    clingo tour.lp | boardsat decode tour.lp

If the file describes no board, the true variables are printed: by their descriptions in the spec,
or as literals if a file of another tool has no header.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from boardsat.commands import _answer_input, _output_files, _run_options
from boardsat.instance.file_types import PROGRAM_SUFFIX

if TYPE_CHECKING:
    from boardsat.workflows.solve.external_answers import DecodeResult

EXIT_CODES = {0: "the answer is right", 1: "the answer is wrong"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _answer_input.add_arguments(parser, is_required=False)
    parser.add_argument("--svg", metavar="FILE", help="draw the board to FILE")


def run(options: argparse.Namespace) -> int:
    from boardsat.adapters.answer import Status
    from boardsat.instance.formula_file import note_lines
    from boardsat.workflows.solve.result import board_text

    _output_files.check_targets(options)
    decoded = _decoded(options)
    instance, solution = decoded.instance, decoded.solution
    lines = decoded.true_variables if solution is None else [board_text(solution, instance.header)]
    try:
        print("\n".join([*lines, *note_lines(instance.notes)]))
    finally:
        if options.svg:
            _output_files.draw(options.svg, solution, Status.SATISFIABLE, instance)
    return 0


def _decoded(options: argparse.Namespace) -> DecodeResult:
    from boardsat.instance.inputs import FileInput
    from boardsat.workflows.solve.external_answers import decode_answer

    if options.file.endswith(PROGRAM_SUFFIX):
        _run_options.require_not_lenient(options)
    source = FileInput(options.file, options.lenient)
    return decode_answer(source, _answer_input.answer_from(options))

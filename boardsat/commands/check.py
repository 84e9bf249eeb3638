"""Check an answer or a proof against a file.

Examples:
    boardsat check tour.cnf answer.txt
    boardsat check odd.cnf answer.txt proof.drat
    boardsat check odd.proved.cnf answer.txt odd.lrat.xz
"""

from __future__ import annotations

import argparse

from boardsat.commands import _answer_input, _run_options
from boardsat.generators.spec.defaults import WRITE

EXIT_CODES = {0: "the answer or the proof is right", 1: "the answer or the proof is wrong"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _answer_input.add_arguments(parser, is_required=True)
    parser.add_argument("proof", nargs="?", metavar="PROOF", help="a DRAT or LRAT proof")
    _run_options.add_proof_resources(parser)


def run(options: argparse.Namespace) -> int:
    from boardsat.instance.formula_file import note_lines
    from boardsat.instance.inputs import FileInput
    from boardsat.workflows.solve.external_answers import check_external_answer

    answer, limits = _answer_input.answer_from(options), _run_options.limits_from(options)
    with FileInput(options.file, options.lenient).formula_file(WRITE) as problem:
        for line in check_external_answer(problem, answer, options.proof, limits):
            print(line)
        for line in note_lines(problem.notes):
            print(line)
    return 0

"""Check an answer or a proof against a file.

Examples:
    boardsat check tour.cnf answer.txt
    boardsat check odd.cnf answer.txt proof.drat
    boardsat check odd.proved.cnf answer.txt odd.lrat.xz
"""

from __future__ import annotations

import argparse

from boardsat.commands import _answer, _running
from boardsat.generators.spec.defaults import WRITE
from boardsat.instance.inputs import File

EXIT_CODES = {0: "the answer or the proof is right", 1: "the answer or the proof is wrong"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _answer.add_arguments(parser, answer_needed=True)
    parser.add_argument("proof", nargs="?", metavar="PROOF", help="a DRAT or LRAT proof")
    _running.add_proof_resources(parser)


def run(options: argparse.Namespace) -> int:
    from boardsat.instance.notes import notes
    from boardsat.workflows.solve.external_answers import checks

    answer, limits = _answer.answer_from(options), _running.limits_from(options)
    with File(options.file, options.lenient).opened(WRITE) as problem:
        for line in checks(problem, answer, options.proof, limits):
            print(line)
        for line in notes(problem):
            print(line)
    return 0

"""Check an answer or a proof against a file.

Examples:
    boardsat check tour.cnf answer.txt
    boardsat check odd.cnf answer.txt proof.drat
"""

from __future__ import annotations

import argparse

from boardsat.commands import _answer

EXIT_CODES = {0: "the answer or the proof is right", 1: "the answer or the proof is wrong"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _answer.add_arguments(parser, answer_needed=True)
    parser.add_argument("proof", nargs="?", metavar="PROOF", help="a DRAT proof")


def run(options: argparse.Namespace) -> int:
    from boardsat.notes import notes
    from boardsat.problem import open_problem
    from boardsat.solving.given_answers import checks

    problem = open_problem(options.file, lenient=options.lenient)
    for line in checks(problem, _answer.answer_from(options), options.proof):
        print(line)
    for line in notes(problem):
        print(line)
    return 0

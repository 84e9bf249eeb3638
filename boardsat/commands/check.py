"""Check an answer, or a proof, against a file.

Examples:
    boardsat check tour.cnf answer.txt
    boardsat check odd.cnf answer.txt proof.drat
"""

from __future__ import annotations

import argparse

from boardsat.commands import _answer, _running

EXIT_CODES = {0: "the answer or the proof is right", 1: "it is refuted"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _answer.add_arguments(parser, answer_needed=True)
    parser.add_argument("proof", nargs="?", metavar="PROOF", help="a DRAT proof")


def run(options: argparse.Namespace) -> int:
    from adapters.answer import Status
    from adapters.decode import decode
    from adapters.errors import AdapterError
    from adapters.runtimes import Limits
    from boardsat.problem import open_problem
    from boardsat.solving import check_model, check_proof, check_rules

    problem = open_problem(options.file, lenient=options.lenient)
    said = _answer.read(options, problem.variables)
    if options.proof is not None and said.status is not Status.UNSATISFIABLE:
        raise AdapterError(
            "a proof is of UNSATISFIABLE, which the answer does not say",
            "leave the proof out, or give the answer that it is of",
            options.answer,
        )
    if said.status is Status.UNSATISFIABLE:
        if options.proof is None:
            raise AdapterError(
                "UNSATISFIABLE can only be checked with a proof", "give its file", options.answer
            )
        check_proof(problem, options.proof, Limits(), options.answer)
        print("the proof is verified: UNSATISFIABLE")
        _running.print_notes(problem)
        return 0
    model = _answer.model_of(said, options)
    check_model(problem, model, options.answer)
    clauses = "the clause" if problem.clauses == 1 else f"all {problem.clauses:,} clauses"
    print(f"the model satisfies {clauses}")
    solution = decode(problem.header, model)
    if solution is not None and check_rules(problem, solution):
        print(f"the board obeys the rules of {problem.header.problem}")
    _running.print_notes(problem)
    return 0

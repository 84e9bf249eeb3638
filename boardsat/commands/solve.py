"""Solve a problem, a DIMACS file or a logic program, check the answer, and show the board.

Examples:
    boardsat solve tour --enc binary -n 8 --solver cadical
    boardsat solve tour.cnf --solver minisat --timeout 60 --svg tour.svg
    boardsat solve tour --enc binary --set rows=5 --set cols=5 --solver kissat --proof
    boardsat solve pigeonhole -n 8 --proof-file eight.lrat.xz
    boardsat solve tour --enc cuts -n 100 --runtime embedded -o tour.cnf
    boardsat solve fewest_queens -n 8 --proof
    boardsat solve tour -n 100 --set closed=false --solver warnsdorff
    boardsat solve tour -n 8 --solver clingo --method reachability --models 5

A solver that reads the board or a logic program, like the last two, needs no --enc.

What a spec minimizes or maximizes, or a .wcnf file pays for, is optimised by rc2, an .opb file by
exact. Another solver is then asked for a better model; --proof proves that there is none, and -o
writes the formula that says so.

The formula of tour/cuts and hamilton/cuts is lazy: it does not exclude subtours. Cuts that a model
violates are added, and the formula is solved again: in one process with --runtime embedded, else in
one for each round. After a maximal number of rounds, or if they make no progress, another encoding
is solved, and the answer says so. -o writes the final formula with its cuts.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from boardsat.adapters import formats
from boardsat.base.errors import InputError
from boardsat.commands import _instance_options, _output_files, _run_options
from boardsat.generators.spec.defaults import SOLVE
from boardsat.instance.file_types import PROGRAM_SUFFIX, is_formula_file_name
from boardsat.terminal.progress import Spinner

if TYPE_CHECKING:
    from boardsat.instance.formula_file import Instance
    from boardsat.instance.inputs import WorkflowInput
    from boardsat.workflows.solve.request import SolveRequest
    from boardsat.workflows.solve.result import CheckedAnswer

EXIT_CODES = {
    10: "SATISFIABLE",
    20: "UNSATISFIABLE",
    30: "OPTIMUM: satisfiable, and no model is better",
    0: "unknown: the solver reached a limit, or gave up",
    1: "the answer failed a check",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    others = ", another format (.wcnf, .opb, .knf), logic program (.lp)"
    _run_options.add_arguments(parser, or_others=others)
    parser.add_argument(
        "--solver",
        metavar="NAME",
        help="see `boardsat solvers`; default: cadical, or rc2 for what is to be optimised",
    )
    parser.add_argument("--proof", action="store_true", help="prove UNSAT, and check the proof")
    parser.add_argument(
        "--proof-file",
        metavar="FILE",
        help="keep the proof in FILE (.drat, .lrat, compressed: .gz, .xz, .zst), and beside it "
        "the formula, unless that is a file already; implies --proof",
    )
    parser.add_argument(
        "--proof-format",
        choices=("drat", "drat-text", "lrat"),
        metavar="FORMAT",
        help="drat (binary, the default), drat-text or lrat; implies --proof",
    )
    parser.add_argument(
        "--models",
        type=_run_options.number(int, 1),
        default=1,
        metavar="K",
        help="find up to K different boards",
    )
    _instance_options.add_method_argument(parser)
    parser.add_argument("--svg", metavar="FILE", help="draw the board to FILE")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the solved formula to FILE, with its cuts if it is lazy",
    )


def run(options: argparse.Namespace) -> int:
    from boardsat.base import scratch
    from boardsat.workflows.solve.workflow import default_solver, find_boards, reads_formula

    _output_files.check_targets(options)
    if formats.format_from_name(options.output or ""):
        raise InputError("-o writes CNF", "give a name that ends in .cnf", options.output)
    with scratch.folder() as folder:
        source = _source(options)
        options.solver = options.solver or default_solver(source)
        request = _request(options, folder)
        instance, results = find_boards(source, request, options.models, options.method, Spinner)
        note = source.encoding_note(SOLVE) if reads_formula(options.solver) else []
        try:
            _show(options, request, instance, results, note)
        finally:
            # Neither prevents the other: a picture that fails, or a reader that ends early.
            if options.svg:
                _output_files.draw(
                    options.svg, results[0].solution, results[0].answer.status, instance
                )
            if options.proof_file:
                _output_files.tell_no_proof(options.proof_file, results[0].answer.status)
        for result in results:
            if result.failure is not None:
                raise result.failure
    return int(results[0].answer.status.value)


def _source(options: argparse.Namespace) -> WorkflowInput:
    """Return the input that the solver reads; raise InputError for options it would ignore."""
    from boardsat.adapters import solvers
    from boardsat.adapters.solvers.solver import InputFormat
    from boardsat.commands._announced_input import AnnouncedInput
    from boardsat.instance.inputs import CatalogueInput

    reads = solvers.load(options.solver).input_format if options.solver else InputFormat.CNF
    is_program = reads is InputFormat.PROGRAM
    if is_program or reads is InputFormat.BOARD or options.problem.endswith(PROGRAM_SUFFIX):
        return _run_options.without_formula(options, is_program)
    source = _run_options.source_from(options, SOLVE)
    return AnnouncedInput(**vars(source)) if isinstance(source, CatalogueInput) else source


def _show(
    options: argparse.Namespace,
    request: SolveRequest,
    instance: Instance,
    results: list[CheckedAnswer],
    note: list[str],
) -> None:
    from boardsat.base.text import format_json
    from boardsat.workflows.solve.result import answer_to_json, format_results

    if not options.json:
        print(format_results(results, instance, note))
        return
    named = options.problem
    file = named if named.endswith(PROGRAM_SUFFIX) or is_formula_file_name(named) else ""
    entries = [
        answer_to_json(result, instance, request, file, number > 0)
        for number, result in enumerate(results)
    ]
    print(format_json(entries[0] if options.models == 1 else entries))


def _request(options: argparse.Namespace, folder: Path) -> SolveRequest:
    from boardsat.adapters.proofs import ProofFormat
    from boardsat.workflows.solve.request import SolveRequest

    proves = options.proof or options.proof_format
    proof = options.proof_file or (str(folder / "proof") if proves else None)
    limits = _run_options.limits_from(options)
    return SolveRequest(
        options.solver,
        options.runtime,
        limits,
        options.seed,
        proof,
        proof_format=ProofFormat(options.proof_format) if options.proof_format else None,
        keep_proof=bool(options.proof_file),
        output=options.output,
    )

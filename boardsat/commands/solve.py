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

A solver that reads the board or a logic program, such as the last two, needs no --encoding.

The objective of a spec or a .wcnf file is optimised by rc2, that of an .opb file by exact. The
optimum is checked: another solver searches for a better model. --proof proves that none exists, and
-o writes the formula that was refuted.

The formula of tour/cuts and hamilton/cuts is lazy: it does not exclude subtours. Cuts that a model
violates are added, and the formula is solved again, until there are no subtours. If the limit of
rounds is reached, or the rounds make no progress, another encoding is solved, and the answer names
it. -o writes the final formula with its cuts.
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
    0: "UNKNOWN: the solver reached a limit, or gave up",
    1: "the answer failed a check",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    others = ", another format (.wcnf, .opb, .knf), logic program (.lp)"
    _run_options.add_arguments(parser, or_others=others)
    parser.add_argument(
        "--solver",
        metavar="NAME",
        help="a solver of `boardsat solvers`; default: cadical, or rc2 if there is an objective",
    )
    parser.add_argument(
        "--proof", action="store_true", help="produce a proof of UNSAT, and check it"
    )
    parser.add_argument(
        "--proof-file",
        metavar="FILE",
        help="write the proof to FILE (.drat or .lrat, compressed: .gz, .xz, .zst), and next to it "
        "the formula unless it was read from a file; implies --proof",
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
        help="find up to K solutions with different boards",
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
        raise InputError("-o writes CNF, not another format", "name it .cnf", options.output)
    with scratch.folder() as folder:
        source = _source(options)
        options.solver = options.solver or default_solver(source)
        request = _request(options, folder)
        instance, results = find_boards(source, request, Spinner)
        note = source.encoding_note(SOLVE) if reads_formula(options.solver) else []
        try:
            _show(options, request, instance, results, note)
        finally:
            # Files are written even if the reader of standard output has ended.
            if options.svg:
                _output_files.draw(
                    options.svg, results[0].solution, results[0].answer.status, instance
                )
            if options.proof_file:
                _output_files.note_missing_proof(options.proof_file, results[0].answer.status)
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

    input_format = InputFormat.CNF
    if options.solver:
        input_format = solvers.load(options.solver).input_format
    is_program = input_format is InputFormat.PROGRAM
    if is_program or input_format is InputFormat.BOARD or options.problem.endswith(PROGRAM_SUFFIX):
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
    problem = options.problem
    is_file = problem.endswith(PROGRAM_SUFFIX) or is_formula_file_name(problem)
    entries = [
        answer_to_json(result, instance, request, problem if is_file else "", number > 0)
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
        max_boards=options.models,
        method=options.method,
    )

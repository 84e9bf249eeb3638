"""Solve a problem, a DIMACS file or a logic program, check the answer, and show the board.

Examples:
    boardsat solve tour --enc binary -n 8 --solver cadical
    boardsat solve tour.cnf --solver minisat --timeout 60 --svg tour.svg
    boardsat solve tour --enc binary --set rows=5 --set cols=5 --solver kissat --proof
    boardsat solve pigeonhole -n 8 --keep eight.lrat.xz
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
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from boardsat.adapters import formats
from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.commands import _instance, _output, _running, _wanted
from boardsat.instance.file_types import PROGRAM_SUFFIX, is_formula_file_name
from boardsat.instance.inputs import CatalogueInput
from boardsat.terminal.progress import Spinner

if TYPE_CHECKING:
    from boardsat.generators import Formula
    from boardsat.instance.formula_file import Instance
    from boardsat.instance.inputs import WorkflowInput
    from boardsat.workflows.solve.request import SolveRequest
    from boardsat.workflows.solve.result import CheckedAnswer

LARGE = 10_000_000
"""Clauses: some hundred times what a usual instance has."""

EXIT_CODES = {
    10: "SATISFIABLE",
    20: "UNSATISFIABLE",
    30: "OPTIMUM: satisfiable, and no model is better",
    0: "unknown: the solver reached a limit, or gave up",
    1: "the answer failed a check",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    others = ", another format (.wcnf, .opb, .knf), logic program (.lp)"
    _running.add_arguments(parser, or_others=others)
    parser.add_argument(
        "--solver",
        metavar="NAME",
        help="see `boardsat solvers`; default: cadical, or rc2 for what is to be optimised",
    )
    parser.add_argument("--proof", action="store_true", help="prove UNSAT, and check the proof")
    parser.add_argument(
        "--keep",
        metavar="FILE",
        help="keep the proof in FILE (.drat, .lrat, compressed: .gz, .xz, .zst), and beside it "
        "the formula, unless that is a file already; implies --proof",
    )
    parser.add_argument(
        "--proof-kind",
        choices=("drat", "drat-text", "lrat"),
        metavar="KIND",
        help="drat (binary, the default), drat-text or lrat; implies --proof",
    )
    parser.add_argument(
        "--models",
        type=_running.number(int, 1),
        default=1,
        metavar="K",
        help="find up to K different boards",
    )
    _instance.add_method_argument(parser)
    parser.add_argument("--svg", metavar="FILE", help="draw the board to FILE")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the solved formula to FILE, with its cuts if it is lazy",
    )


def run(options: argparse.Namespace) -> int:
    from boardsat.adapters.runtimes.prefork import one_waiting
    from boardsat.adapters.solvers.capabilities import AUTO, RuntimeName

    # Before all that is needed for the formula is loaded, so that the worker is small.
    with one_waiting() if options.runtime in (AUTO, RuntimeName.EMBEDDED) else nullcontext():
        return _solve(options)


def _solve(options: argparse.Namespace) -> int:
    from boardsat.adapters import solvers
    from boardsat.base import scratch
    from boardsat.workflows.solve.workflow import default_solver, find_boards, reads_formula

    _output.check(options)
    if formats.ending_of(options.output or ""):
        raise InputError("-o writes CNF", "give a name that ends in .cnf", options.output)
    with scratch.folder() as folder:
        if options.solver is None:
            source = _source(options, "formula")
            options.solver = default_solver(source)
        else:
            source = _source(options, solvers.load(options.solver).input_format)
        request = _request(options, folder)
        instance, results = find_boards(source, request, options.models, options.method, Spinner)
        default = source.encoding_note(_wanted.SOLVE) if reads_formula(options.solver) else []
        try:
            _show(options, request, instance, results, default)
        finally:
            # Neither takes the other away: a picture that fails, or a reader who has seen enough.
            if options.svg:
                _output.draw(options.svg, results[0].solution, results[0].answer.status, instance)
            if options.keep:
                _output.tell_no_proof(options.keep, results[0].answer.status)
        for result in results:
            if result.failure is not None:
                raise result.failure
    return int(results[0].answer.status.value)


class _Announced(CatalogueInput):
    """Before a large formula is written, its size: what follows takes minutes, and gigabytes."""

    def formula(self, purpose: str) -> Formula:
        with Spinner(f"building the formula of {self.name}"):
            formula = super().formula(purpose)
        if formula.clauses >= LARGE:
            variables = pluralize(formula.variables, "variable")
            size = f"{variables}, {pluralize(formula.clauses, 'clause')}"
            print(f"boardsat: {formula.header.stem}: {size}", file=sys.stderr, flush=True)
        return formula


def _source(options: argparse.Namespace, reads: str) -> WorkflowInput:
    """What the solver reads; options that it could only ignore are refused."""
    if reads == "program":
        return _running.program_source(options)
    if reads == "board" or options.problem.endswith(PROGRAM_SUFFIX):
        return _running.board_from(options)
    source = _running.source_from(options, _wanted.SOLVE)
    return _Announced(**vars(source)) if isinstance(source, CatalogueInput) else source


def _show(
    options: argparse.Namespace,
    request: SolveRequest,
    instance: Instance,
    results: list[CheckedAnswer],
    default: list[str],
) -> None:
    from boardsat.base.text import format_json
    from boardsat.workflows.solve.result import answer_to_json, format_results

    if options.json:
        named = options.problem
        file = named if named.endswith(PROGRAM_SUFFIX) or is_formula_file_name(named) else ""
        numbered = enumerate(results)
        told = [answer_to_json(r, instance, request, file, k > 0) for k, r in numbered]
        print(format_json(told[0] if options.models == 1 else told))
    else:
        print(format_results(results, instance, default))


def _request(options: argparse.Namespace, folder: Path) -> SolveRequest:
    from boardsat.adapters.proofs import ProofFormat
    from boardsat.workflows.solve.request import SolveRequest

    proves = options.proof or options.proof_kind
    proof = options.keep or (str(folder / "proof") if proves else None)
    limits = _running.limits_from(options)
    return SolveRequest(
        options.solver,
        options.runtime,
        limits,
        options.seed,
        proof,
        proof_format=ProofFormat(options.proof_kind) if options.proof_kind else None,
        keep_proof=bool(options.keep),
        output=options.output,
    )

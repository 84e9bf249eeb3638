"""Solve a problem, a DIMACS file or a logic program, check the answer, and show the board.

Examples:
    boardsat solve tour --enc binary -n 8 --solver cadical
    boardsat solve tour.cnf --solver minisat --timeout 60 --svg tour.svg
    boardsat solve tour --enc binary --set rows=5 --set cols=5 --solver kissat --proof
    boardsat solve tour --enc cuts -n 100 --runtime embedded -o tour.cnf
    boardsat solve tour -n 100 --set closed=false --solver warnsdorff
    boardsat solve tour -n 8 --solver clingo --method reachability --models 5

A solver that reads the board itself or a logic program, like the last two, needs no --enc.

The formula of tour/cuts and hamilton/cuts is lazy: it does not say that the edges form one circle.
Each model tells which clauses (cuts) are missing, they are added, and it is solved again: in one
process with --runtime embedded, else in one for each round. After so many rounds as the file says,
another encoding is taken, and the answer says so. -o writes the formula in the end, with its cuts.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.counts import counted
from boardsat.commands import _instance, _output, _running, _wanted
from boardsat.endings import FILES, PROGRAM
from boardsat.spinner import Spinner

if TYPE_CHECKING:
    from boardsat.problem import Instance
    from boardsat.solving import Request, Result

EXIT_CODES = {
    10: "SATISFIABLE",
    20: "UNSATISFIABLE",
    0: "unknown: the solver reached a limit, or gave up",
    1: "the answer was checked, and is wrong",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _running.add_arguments(parser)
    parser.add_argument(
        "--solver", default="cadical", metavar="NAME", help="see `boardsat solvers`"
    )
    parser.add_argument(
        "--proof", action="store_true", help="have UNSAT proved, and check the proof"
    )
    parser.add_argument("--keep", metavar="FILE", help="keep the proof there; means --proof")
    parser.add_argument(
        "--models",
        type=_running.number(int, 1),
        default=1,
        metavar="K",
        help="up to K different boards",
    )
    _instance.add_method_argument(parser)
    parser.add_argument("--svg", metavar="FILE", help="draw the board there")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the formula that was decided there, a lazy one with its cuts",
    )


def run(options: argparse.Namespace) -> int:
    from adapters import scratch, solver_files

    _output.check(options)
    with scratch.folder() as folder:
        request = _request(options, folder)
        ways = {"formula": _on_formula, "program": _on_program, "board": _on_board}
        reads = solver_files.load(options.solver).reads
        instance, results = ways[reads](options, request)
        _show(options, request, instance, results)
        if reads == "formula" and not options.json:
            for line in _wanted.default_line(options, _wanted.SOLVE):
                print(line)
        # The answer is out: whatever goes wrong from here on cannot take it away.
        if options.svg:
            _output.draw(options.svg, results[0].solution, results[0].answer.status, instance)
        for result in results:
            if result.failure is not None:
                raise result.failure
    return int(results[0].answer.status.value)


def _show(
    options: argparse.Namespace, request: Request, instance: Instance, results: list[Result]
) -> None:
    from boardsat import showing

    numbered = list(enumerate(results))
    if options.json:
        file = options.problem if options.problem.endswith((*FILES, PROGRAM)) else ""
        told = [showing.described(r, instance, request, file, k > 0) for k, r in numbered]
        print(showing.as_json(told[0] if options.models == 1 else told))
    else:
        print("\n\n".join(showing.shown(r, instance, k > 0) for k, r in numbered))
        _running.print_notes(instance)


def _on_formula(options: argparse.Namespace, request: Request) -> tuple[Instance, list[Result]]:
    from adapters.errors import AdapterError
    from boardsat.solving import enumerate_models

    if options.output and options.models > 1:
        raise AdapterError("one file is for one board", "leave --models or -o out")
    _refuse_program(options)
    with (
        _running.problem_from(options, _wanted.SOLVE) as problem,
        Spinner(f"{options.solver} on {counted(problem.clauses, 'clause')}"),
    ):
        return problem, _gathered(enumerate_models(problem, request, options.models))


def _on_program(options: argparse.Namespace, request: Request) -> tuple[Instance, list[Result]]:
    from boardsat import answer_sets

    _refuse_output(options)
    with _running.program_from(options) as program, Spinner(f"{options.solver} on a program"):
        return program, _gathered(answer_sets.solve(program, request, options.models))


def _on_board(options: argparse.Namespace, request: Request) -> tuple[Instance, list[Result]]:
    from adapters.errors import AdapterError
    from boardsat.solving import solve_board

    _refuse_output(options)
    if options.models > 1:
        raise AdapterError(
            f"{options.solver} finds one board at a time", "leave --models out, and vary --seed"
        )
    _refuse_program(options)
    instance = _running.instance_from(options)
    with Spinner(f"{options.solver} on the board"):
        return instance, [solve_board(instance, request)]


def _gathered(found: Iterator[Result]) -> list[Result]:
    """All that is found, even if looking for more then fails."""
    from adapters.errors import AdapterError

    results: list[Result] = []
    try:
        results.extend(found)
    except (AdapterError, KeyboardInterrupt) as error:
        if not results:
            raise
        results[-1] = replace(results[-1], failure=error)
    return results


def _refuse_program(options: argparse.Namespace) -> None:
    from adapters.errors import AdapterError

    if options.method or options.problem.endswith(PROGRAM):
        raise AdapterError(f"{options.solver} reads no logic programs", "try --solver clingo")


def _refuse_output(options: argparse.Namespace) -> None:
    from adapters.errors import AdapterError

    if options.output:
        raise AdapterError(f"{options.solver} decides no formula", "leave -o out")


def _request(options: argparse.Namespace, folder: Path) -> Request:
    from boardsat.solving import Request

    proof = options.keep or (str(folder / "proof") if options.proof else None)
    limits = _running.limits_from(options)
    return Request(
        options.solver, options.runtime, limits, options.seed, proof, output=options.output
    )

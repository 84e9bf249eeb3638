"""Decide whether a projection is valid: whether counting models over it counts the boards.

Examples:
    boardsat projection tour --enc binary -n 6
    boardsat projection tour.cnf --timeout 600

A projection is valid if it is the set of variables that a board is decoded from, or if the two sets
are proved to determine each other. It is invalid if there is a counterexample, a pair of models,
which is printed. Within the limits it may remain unknown.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from boardsat.base.text import pluralize
from boardsat.commands import _run_options
from boardsat.generators.spec.defaults import COUNT
from boardsat.terminal.progress import Spinner
from boardsat.terminal.streams import paint_word

if TYPE_CHECKING:
    from boardsat.adapters.answer import Model
    from boardsat.instance.formula_file import FormulaFile
    from boardsat.workflows.count.projections import ProjectionVerdict

MAX_DIFFERENCES_SHOWN = 10
"""Maximum number of differences printed for a model."""

EXIT_CODES = {0: "valid, or unknown", 1: "invalid"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _run_options.add_arguments(parser, timeout=60)
    parser.add_argument(
        "--solver",
        default="cadical",
        metavar="NAME",
        help="the solver that looks for a counterexample",
    )


def run(options: argparse.Namespace) -> int:
    import json

    from boardsat.adapters.command_clock import CommandLimitError, limited_command, work_step
    from boardsat.instance.formula_file import note_lines
    from boardsat.workflows.count.projections import ProjectionVerdict, Validity, projection_verdict
    from boardsat.workflows.solve.request import SolveRequest, select_cnf_solver

    limits = _run_options.limits_from(options)
    request = SolveRequest(options.solver, options.runtime, limits, options.seed)
    # Checked even if the projection turns out to be valid without a solver run.
    select_cnf_solver(request)
    source = _run_options.source_from(options, COUNT)
    with ExitStack() as stack:
        stack.enter_context(limited_command(limits))
        problem = None
        try:
            with work_step(source.activity):
                problem = stack.enter_context(source.formula_file(COUNT))
            with Spinner(
                f"{options.solver} on two copies of {pluralize(problem.clauses, 'clause')}"
            ):
                verdict = projection_verdict(problem, request)
        except CommandLimitError as limit:
            verdict = ProjectionVerdict(Validity.UNKNOWN, limit.fault)
        if options.json:
            print(json.dumps(_to_json(verdict, problem), indent=2))
        else:
            lines = [_text(verdict, problem)]
            if problem is not None:
                lines += [*source.encoding_note(COUNT), *note_lines(problem.notes)]
            print("\n".join(lines))
    return int(verdict.validity is Validity.INVALID)


def _text(verdict: ProjectionVerdict, problem: FormulaFile | None) -> str:
    """Return the verdict, and the witness as two boards if the file describes any."""
    if problem is None:
        return f"{paint_word(verdict.validity)}: the projection: {verdict.reason}"
    size = f"{len(problem.projection()):,} of {pluralize(problem.variables, 'variable')}"
    lines = [f"{paint_word(verdict.validity)}: the projection ({size}): {verdict.reason}"]
    models = verdict.witness or ()
    boards = [_board(model, problem) for model in models]
    for board, model, other in zip(boards, models, reversed(models), strict=True):
        lines += ["", board]
        if len(set(boards)) == 1:
            lines += _difference(model, other, problem)
    return "\n".join(lines)


def _difference(model: Model, reference: Model, problem: FormulaFile) -> list[str]:
    """Return lines about the variables that are true in the model and false in the reference."""
    from boardsat.adapters.views.model_description import true_lines

    reference_lines = set(true_lines(problem.header, reference))
    lines = [line for line in true_lines(problem.header, model) if line not in reference_lines]
    if not lines:
        numbers = ((model > 0) & (reference <= 0)).nonzero()[0].tolist()
        lines = [f"variable {number}, which has no name" for number in numbers]
    if len(lines) > MAX_DIFFERENCES_SHOWN:
        lines[MAX_DIFFERENCES_SHOWN:] = [f"and {len(lines) - MAX_DIFFERENCES_SHOWN:,} more"]
    return ["true here alone:", *(f"  {line}" for line in lines)] if lines else []


def _board(model: Model, problem: FormulaFile) -> str:
    from boardsat.adapters.rendering.text import solution_to_text
    from boardsat.adapters.views.decoder import decode

    solution = decode(problem.header, model)
    if solution is None:
        true = [str(variable) for variable in range(1, len(model)) if model[variable] > 0]
        return "true: " + " ".join(true)
    return solution_to_text(solution, problem.header.closed)


def _to_json(verdict: ProjectionVerdict, problem: FormulaFile | None) -> dict[str, Any]:
    from boardsat.adapters.answer import literals_of
    from boardsat.adapters.rendering.text import solution_to_json
    from boardsat.adapters.views.decoder import decode

    witness = verdict.witness if problem and verdict.witness else ()
    solutions = [decode(problem.header, model) for model in witness] if problem else []
    return {
        "projection": verdict.validity,
        "reason": verdict.reason,
        "variables": len(problem.projection()) if problem else None,
        "notes": list(problem.notes) if problem else [],
        "boards": [solution_to_json(solution) for solution in solutions if solution is not None],
        "models": [literals_of(model) for model in witness],
    }

"""Explain why an instance is unsatisfiable: print a minimal conflict (MUS) of its constraints.

Examples:
    boardsat explain queens -n 3
    boardsat explain sudoku --set givens=@puzzle.txt
    boardsat explain tour --set rows=4 --set cols=4
    boardsat explain hamilton --set graph=graph.col --timeout 600 --json

The minimal unsatisfiable subset (MUS) is one of groups of clauses: each group is a row of the `for`
of a constraint, such as the constraint of one row, column, square or clue. Without any one of the
groups, the rest is satisfiable. Another solver checks both. If the time runs out, the smallest
conflict found so far is printed, and marked as possibly not minimal.
"""

from __future__ import annotations

import argparse

from boardsat.commands import _instance_options, _run_options
from boardsat.generators.spec.defaults import SOLVE
from boardsat.instance.file_types import is_formula_file_name
from boardsat.terminal.progress import Spinner

EXIT_CODES = {
    20: "UNSATISFIABLE, and explained",
    10: "SATISFIABLE: there is nothing to explain",
    0: "unknown: a limit was reached",
    1: "the explanation failed a check",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _instance_options.add_problem_arguments(parser, ", formula of a problem from the list (.cnf)")
    _instance_options.add_encoding(parser)
    _run_options.add_resources(parser, timeout=60)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    from boardsat.base.text import format_json
    from boardsat.instance.inputs import CatalogueInput, FileInput, WorkflowInput
    from boardsat.workflows.explain.workflow import resolve_spec, run_explain

    limits = _run_options.limits_from(options)
    if is_formula_file_name(options.problem):
        _instance_options.require_no_generator_options(options)
        source: WorkflowInput = FileInput(options.problem)
    else:
        instance = _instance_options.select_one(options, SOLVE)
        source = CatalogueInput(
            options.problem, options.encoding, instance.settings, loaded_spec=instance.spec
        )
    spec, settings = resolve_spec(source)
    with Spinner(f"searching for a minimal conflict in {spec.name}"):
        explanation = run_explain(spec, settings, limits)
    if options.json:
        print(format_json(explanation.to_json()))
    else:
        print("\n".join([str(explanation), *source.encoding_note(SOLVE)]))
    return int(explanation.status.value)

"""Run every encoding of a problem on every available solver and counter, and compare.

Examples:
    boardsat validate tour -n 6
    boardsat validate queens -n 8 --solvers cadical,minisat,clasp --html queens.html
    boardsat validate tour -n 6 --enc unary,my.yaml --jobs 2 --timeout 10 --json

Within the budget every encoding and every solver has one run first; then deciding comes before
counting. The report says what was left out. Results are kept in the folder --results and reused, so
the same command continues from there. A disagreement is reduced to a small formula, in a folder for
a bug report.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardsat.commands import _instance, _output, _running
from boardsat.instance.file_types import CNF_SUFFIXES
from boardsat.terminal.ansi import word
from boardsat.terminal.table import table

if TYPE_CHECKING:
    from boardsat.campaign.runner.records import RunRecord
    from boardsat.workflows.validate.workflow import Validation, ValidationRequest

EXIT_CODES = {0: "all agree", 1: "some disagree", 3: "undecided"}
_CODES = {"agree": 0, "disagree": 1, "undecided": 3}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "problem",
        metavar="PROBLEM",
        help="a problem from `boardsat list`, a spec file (.yaml), or a DIMACS file",
    )
    _instance.add_settings(parser)
    parser.add_argument(
        "--enc",
        default="all",
        metavar="all|A,B",
        help="encodings of `boardsat list PROBLEM`, or spec files (default: all)",
    )
    parser.add_argument(
        "--solvers",
        default="all",
        metavar="all|A,B",
        help="solvers of `boardsat solvers`, or solver files (default: all available)",
    )
    _running.add_jobs(parser)
    parser.add_argument(
        "--budget",
        type=_running.number(float, 0),
        metavar="S",
        help="total time in seconds, spent on runs that can finish; 0: no limit "
        "(default 60, or 600 for large formulas)",
    )
    _running.add_limits(parser, timeout=30, scope=_running.SOLVER_ALONE)
    parser.add_argument("--html", metavar="FILE", help="write the report to FILE, as one page")
    parser.add_argument(
        "--results",
        default="out/validation",
        metavar="DIR",
        help="the folder for results (default out/validation)",
    )
    parser.add_argument(
        "--triage",
        type=_running.number(float, 0),
        default=60.0,
        metavar="S",
        help="seconds for reducing a disagreement; 0: do not reduce (default 60)",
    )


def run(options: argparse.Namespace) -> int:
    from boardsat.workflows.validate import progress_display, workflow

    _output.check(options)
    if options.problem.endswith(CNF_SUFFIXES):
        _refuse_generator_options(options)
    try:
        outcome = workflow.validate(_request(options), progress_display.watch)
    except KeyboardInterrupt:
        if not Path(options.results).exists():
            raise
        raise KeyboardInterrupt(f"what was finished is kept in {options.results}") from None
    print(_json(outcome) if options.json else _text(outcome))
    if options.html:
        from boardsat.workflows.validate.html_report import page

        _output.write(options.html, page(outcome))
    return _CODES[outcome.verdict.word]


def _refuse_generator_options(options: argparse.Namespace) -> None:
    """A file is the one formula that is validated."""
    every = options.enc == "all"
    _instance.refuse_generator_options(
        argparse.Namespace(**{**vars(options), "enc": None if every else options.enc})
    )


def _request(options: argparse.Namespace) -> ValidationRequest:
    from boardsat.workflows.validate.workflow import ValidationRequest

    return ValidationRequest(
        options.problem,
        options.enc,
        options.solvers,
        _instance.settings_from(options),
        options.runtime,
        _running.limits_from(options),
        options.seed,
        options.jobs,
        Path(options.results),
        options.triage,
        options.budget,
    )


def _text(outcome: Validation) -> str:
    """The verdict in a few lines, then why, then every run."""
    from boardsat.workflows.validate import result

    lines = [f"{word(outcome.verdict.word.upper())}{result.headline(outcome)}"]
    lines += [f"  {line}" for line in result.lines(outcome)]
    lines += ["", "in detail:"]
    lines += [f"  {line}" for line in result.details(outcome)]
    heads = ["formula", "solver", "version", "answer", "checked", "wall", "cpu", "MB"]
    rows = [_row(outcome, record) for record in outcome.records]
    return "\n".join([*lines, "", table(heads, rows)])


def _row(outcome: Validation, record: RunRecord) -> list[str]:
    from boardsat.workflows.validate.result import shown_answer

    return [
        record.where,
        record.name,
        record.version,
        shown_answer(outcome, record),
        " ".join(record.checked),
        f"{record.scored_wall:.2f}",
        "" if record.scored_cpu is None else f"{record.scored_cpu:.2f}",
        "" if record.scored_memory is None else f"{record.scored_memory / 2**20:.0f}",
    ]


def _json(outcome: Validation) -> str:
    from boardsat.workflows.validate import result

    described: dict[str, Any] = {
        "verdict": outcome.verdict.word,
        "complete": not outcome.left_out,
        "summary": list(result.lines(outcome)),
        "reasons": outcome.verdict.reasons,
        "problem": outcome.title,
        "objects": outcome.objects,
        "wrong_answers": outcome.verdict.wrong_answers,
        "runs": [
            {**_described(record), "refuted": outcome.evidence.is_refuted(record)}
            for record in outcome.records
        ],
        "skipped": [{"name": each.name, "reason": each.reason} for each in outcome.skipped],
        "budget": outcome.budget,
        "left_out": [
            {
                "encoding": each.encoding,
                "variant": each.variant,
                "solver": each.solver,
                "task": each.task,
                "reason": each.reason,
            }
            for each in outcome.left_out
        ],
        "bug_reports": [str(report.folder) for report in outcome.reports if report.solver],
        "disputes": [str(report.folder) for report in outcome.reports if not report.solver],
    }
    return json.dumps(described, indent=2)


def _described(record: RunRecord) -> dict[str, Any]:
    return {
        "encoding": record.encoding,
        "variant": record.variant,
        "expected": record.expected,
        "formula": record.formula,
        "solver": record.solver,
        "version": record.version,
        "runtime": record.runtime,
        "command": record.command,
        "task": record.task,
        "status": record.status,
        "reason": record.reason,
        "fault": record.fault,
        "checked": record.checked,
        "unchecked": record.unchecked,
        "count": record.objects,
        "exact": record.exact if record.objects is not None else None,
        "interval": record.interval,
        "wall": record.wall,
        "limit": record.limit,
        "cpu": record.cpu,
        "memory": record.memory,
        "solver_wall": record.solver_wall,
        "solver_cpu": record.solver_cpu,
        "solver_memory": record.solver_memory,
    }

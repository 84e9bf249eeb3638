"""Compare the answers of all solvers and counters on all encodings of a problem.

Examples:
    boardsat validate tour -n 6
    boardsat validate queens -n 8 --solvers cadical,minisat,clasp --html queens.html
    boardsat validate tour -n 6 --enc unary,my.yaml --jobs 2 --timeout 10 --json

Within the time budget, each encoding and each solver runs once first; then solvers run before
counters. The report lists the runs that were not started. Results are stored in the folder of
--results, and reused when the command is repeated. A disagreement is reduced to a small formula,
written to a folder for a bug report.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from boardsat.commands import _instance_options, _output_files, _run_options
from boardsat.instance.file_types import CNF_SUFFIXES
from boardsat.terminal.streams import escape_controls, paint_word, unescaped_stream
from boardsat.terminal.table import table

if TYPE_CHECKING:
    from boardsat.campaign.runner.job_queue import RunListener
    from boardsat.campaign.runner.records import Job, RunRecord
    from boardsat.workflows.validate.result import ValidationResult
    from boardsat.workflows.validate.workflow import ValidationRequest

EXIT_CODES = {0: "all agree", 1: "some disagree", 3: "undecided"}
_CODES = {"agree": 0, "disagree": 1, "undecided": 3}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "problem",
        metavar="PROBLEM",
        help="a problem from `boardsat list`, a spec file (.yaml), or a DIMACS file",
    )
    _instance_options.add_settings(parser)
    parser.add_argument(
        *_instance_options.ENCODING,
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
    _run_options.add_jobs(parser)
    parser.add_argument(
        "--budget",
        type=_run_options.number(float, 0),
        metavar="SECONDS",
        help="total time in seconds, spent on runs that can finish; 0: no limit "
        "(default 60, or 600 for large formulas)",
    )
    _run_options.add_limits(parser, timeout=30, scope=_run_options.SOLVER_ALONE)
    parser.add_argument("--html", metavar="FILE", help="write the report to FILE, as one page")
    parser.add_argument(
        "--results",
        default="out/validation",
        metavar="DIR",
        help="the folder of results (default out/validation)",
    )
    parser.add_argument(
        "--reduce-timeout",
        type=_run_options.number(float, 0),
        default=60.0,
        metavar="SECONDS",
        help="time limit in seconds of reducing a disagreement; 0: do not reduce (default 60)",
    )


def run(options: argparse.Namespace) -> int:
    import json

    from boardsat.workflows.validate import result
    from boardsat.workflows.validate.workflow import validate

    _output_files.check_targets(options)
    if options.problem.endswith(CNF_SUFFIXES):
        # `--encoding all`, the default, selects the file itself.
        encoding = None if options.encoding == "all" else options.encoding
        _instance_options.require_no_generator_options(
            argparse.Namespace(**{**vars(options), "encoding": encoding})
        )
    note = f"finished runs are stored in {options.results}"
    with _output_files.add_interrupt_note(Path(options.results), note):
        validation = validate(_request(options), watch)
    if options.json:
        print(json.dumps(result.to_json(validation), indent=2))
    else:
        print(_text(validation))
    if options.html:
        _output_files.write(options.html, result.html_page(validation))
    return _CODES[validation.verdict.consensus]


def _request(options: argparse.Namespace) -> ValidationRequest:
    from boardsat.workflows.validate.workflow import ValidationRequest

    return ValidationRequest(
        options.problem,
        options.encoding,
        options.solvers,
        _instance_options.settings_from(options),
        options.runtime,
        _run_options.limits_from(options),
        options.seed,
        options.jobs,
        Path(options.results),
        options.reduce_timeout,
        options.budget,
    )


def _text(validation: ValidationResult) -> str:
    """Return the verdict in a few lines, then the reasons, then every run."""
    from boardsat.workflows.validate.result import details, headline, summary

    lines = [f"{paint_word(validation.verdict.consensus.upper())}{headline(validation)}"]
    lines += [f"  {line}" for line in summary(validation)]
    lines += ["", "in detail:"]
    lines += [f"  {line}" for line in details(validation)]
    heads = ["formula", "solver", "version", "answer", "checked", "wall", "cpu", "MB"]
    rows = [_row(validation, record) for record in validation.records]
    return "\n".join([*lines, "", table(heads, rows)])


def _row(validation: ValidationResult, record: RunRecord) -> list[str]:
    from boardsat.workflows.validate.result import marked_answer

    return [
        record.question.varied_encoding,
        record.identity.label,
        record.identity.version,
        marked_answer(validation, record),
        " ".join(record.outcome.checked),
        f"{record.usage.scored_wall:.2f}",
        "" if record.usage.scored_cpu is None else f"{record.usage.scored_cpu:.2f}",
        "" if record.usage.scored_memory is None else f"{record.usage.scored_memory / 2**20:.0f}",
    ]


def watch(jobs: Sequence[Job]) -> RunListener:
    """Return a listener that displays progress on standard error."""
    stream = sys.stderr
    return _Table(jobs, stream) if stream.isatty() else _Lines(stream)


class _Lines:
    """Listener that prints a line when a run ends."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def began(self, job: Job) -> None: ...

    def ended(self, job: Job, record: RunRecord) -> None:
        answer = _answer(record)
        answer += f" ({record.outcome.reason})" if record.outcome.reason else ""
        print(
            f"{record.question.varied_encoding}: {record.identity.label} {record.question.task}: "
            f"{answer}, {record.usage.wall:.2f} s",
            file=self.stream,
            flush=True,
        )

    def tick(self) -> None: ...


class _Table:
    """Listener that updates a table: a row for each formula, a column for each solver and task."""

    def __init__(self, jobs: Sequence[Job], stream: TextIO) -> None:
        self.stream = unescaped_stream(stream)
        self.rows: dict[str, dict[str, str]] = {}
        self.columns: dict[str, None] = {}
        self.running: dict[tuple[str, str], float] = {}
        self.height = 0
        for job in jobs:
            self._put(job, ".")

    def _position(self, job: Job) -> tuple[str, str]:
        solver = job.identity.label
        column = f"{solver} #" if job.question.task == "count" else solver
        return job.question.varied_encoding, column

    def _put(self, job: Job, cell: str) -> None:
        row, column = self._position(job)
        self.rows.setdefault(row, {})[column] = cell
        self.columns.setdefault(column)

    def began(self, job: Job) -> None:
        self.running[self._position(job)] = time.monotonic()
        self._put(job, "...")
        self.tick()

    def ended(self, job: Job, record: RunRecord) -> None:
        self.running.pop(self._position(job), None)
        self._put(job, _answer(record))
        self.tick()

    def tick(self) -> None:
        now = time.monotonic()
        for (row, column), begun in self.running.items():
            self.rows[row][column] = f"{now - begun:.0f} s"
        columns = list(self.columns)
        cells = [
            [row, *(row_cells.get(c, "") for c in columns)] for row, row_cells in self.rows.items()
        ]
        size = shutil.get_terminal_size()
        # The cursor cannot move up to lines that have scrolled away.
        lines = table(["", *columns], cells).splitlines()
        lines = [*lines[:2], *lines[2:][-(size.lines - 4) :]]
        up = f"\033[{self.height}F" if self.height else ""
        text = "\n".join(f"\033[K{escape_controls(line)[: size.columns - 1]}" for line in lines)
        self.stream.write(f"{up}{text}\033[J\n")
        self.stream.flush()
        self.height = len(lines)


def _answer(record: RunRecord) -> str:
    from boardsat.workflows.validate.result import answer_text

    return answer_text(record)

"""Result of a validation, with its summary, details, JSON and HTML page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from itertools import chain
from operator import attrgetter
from typing import Any

from boardsat.adapters.views import Tour
from boardsat.base import json_data
from boardsat.base.text import pluralize, pluralize_phrase
from boardsat.campaign.report import page_template
from boardsat.campaign.report.found_boards import FoundBoard
from boardsat.campaign.runner.records import COUNT, DECIDE, PLAIN, RunRecord, RunTask
from boardsat.campaign.runner.solver_selection import Skipped
from boardsat.workflows.count.reference import ReferenceCount
from boardsat.workflows.validate.consensus import Verdict, checks
from boardsat.workflows.validate.evidence import ValidationEvidence, group_records
from boardsat.workflows.validate.metamorphic import BOARD_TESTS
from boardsat.workflows.validate.run_matrix import BOARD
from boardsat.workflows.validate.schedule import OmittedRun
from boardsat.workflows.validate.triage import Report

MAX_LISTED = 5
"""Maximum number of contradictions or missing answers in the summary."""

MAX_BOARDS = 24
"""Maximum number of drawn boards."""

_LEFT, _RIGHT, _ROW, _TOP = 190, 610, 18, 24
"""Layout of the plot in SVG units: its left and right end, the height of a row, and the top."""

_MIN_SECONDS = 0.01
"""Time at the left end of the logarithmic axis."""

_SHORT = {"SATISFIABLE": "SAT", "UNSATISFIABLE": "UNSAT", "UNKNOWN": "-"}


@dataclass(frozen=True)
class ValidationResult:
    """Records of all runs, and the verdict on them."""

    title: str
    objects: str
    """Plural noun for the counted objects."""
    records: tuple[RunRecord, ...]
    skipped: tuple[Skipped, ...]
    """Solvers and encodings that cannot be run, with reasons."""
    omitted: tuple[OmittedRun, ...]
    """Runs that were not started, for lack of time."""
    seconds: float | None
    """Time limit of the validation in seconds. None: unlimited."""
    boards: tuple[FoundBoard, ...]
    verdict: Verdict
    published: ReferenceCount | None
    reports: tuple[Report, ...]
    """Reports of disagreements."""

    @cached_property
    def evidence(self) -> ValidationEvidence:
        return ValidationEvidence(self.records, self.published)


def headline(result: ValidationResult) -> str:
    """Return the title as printed after the verdict, with a note if runs were omitted."""
    note = " (incomplete)" if result.omitted else ""
    return f"{note}: {result.title}"


def answer_text(record: RunRecord) -> str:
    """Return the answer of a run as a short status or a number."""
    if record.outcome.fault:
        return "WRONG"
    if record.count.objects is not None:
        return f"{record.count.objects:,}" if record.count.exact else f"~{record.count.objects:,}"
    return _SHORT[record.outcome.status]


def marked_answer(result: ValidationResult, record: RunRecord) -> str:
    """Return the answer of a run as a short status or a number, marked if it is refuted."""
    answer = answer_text(record)
    is_marked = record.outcome.fault or not result.evidence.is_refuted(record)
    return answer if is_marked else f"WRONG ({answer})"


def summary(result: ValidationResult) -> Iterator[str]:
    """Yield the facts that support the verdict, in a few lines."""
    for solver, answers in result.verdict.wrong_answers.items():
        yield f"{solver}: {pluralize(answers, 'wrong answer')}"
    against = result.verdict.against
    yield from against[:MAX_LISTED]
    if len(against) > MAX_LISTED:
        yield f"and {len(against) - MAX_LISTED:,} more"
    records = result.evidence.believed_records()
    yield from _status_lines([record for record in records if record.question.task == DECIDE])
    yield from _count_lines(result)
    yield from _test_lines([record for record in records if record.question.variant != PLAIN])
    if not result.evidence.reliable_solvers(DECIDE):
        yield "no independent evidence: every solver with a checked answer also has a refuted one"
    unanswered = [r for r in result.records if not r.answered and not r.outcome.fault]
    if unanswered:
        number = pluralize(len(unanswered), "run")
        solvers = _solvers_of([(r.question.task, r.identity.label) for r in unanswered])
        yield f"{number} of {len(result.records):,} gave no answer: {solvers}"
    if result.omitted:
        number = pluralize(len(result.omitted), "run")
        total = len(result.omitted) + len(result.records)
        solvers = _solvers_of([(run.key.task, run.name) for run in result.omitted])
        yield f"NOT RUN within the budget of {result.seconds:g} s: {number} of {total:,}: {solvers}"
        yield "run the same command again to continue; --budget 0 runs everything"
    if result.skipped:
        yield f"not available: {', '.join(skipped.name for skipped in result.skipped)}"
    for report in result.reports:
        label = "bug report" if report.solver else "disagreement without a solver proved wrong"
        yield f"{label}: {report.folder}"


def details(result: ValidationResult) -> Iterator[str]:
    """Yield the reasons that are not in the summary, and all omitted and skipped runs."""
    listed = result.verdict.against[:MAX_LISTED]
    yield from (reason for reason in result.verdict.reasons if reason not in listed)
    groups: dict[tuple[str, str], list[str]] = {}
    for run in result.omitted:
        noun = "count" if run.key.task == COUNT else "answer"
        variant = run.key.variant
        subject = f"{variant}, {noun}" if variant else f"{noun} of {run.name}"
        groups.setdefault((subject, run.reason), []).append(run.key.encoding)
    for (subject, reason), encodings in groups.items():
        yield f"not run: {subject} on {', '.join(encodings)} ({reason})"
    yield from (f"not run: {skipped.name} ({skipped.reason})" for skipped in result.skipped)


def _status_lines(records: Iterable[RunRecord]) -> Iterator[str]:
    plain = [record for record in records if record.question.variant == PLAIN]
    for status, group in group_records(plain, attrgetter("outcome.status")).items():
        solvers = _number_of("solver", (record.identity.name for record in group))
        yield f"{status} by {solvers} on {_num_encodings(group)}{checks(group)}"


def _number_of(noun: str, names: Iterable[str]) -> str:
    return pluralize(len({*names} - {BOARD}), noun)


def _num_encodings(records: Iterable[RunRecord]) -> str:
    return _number_of("encoding", (record.question.encoding for record in records))


def _count_lines(result: ValidationResult) -> Iterator[str]:
    counts = [r for r in result.evidence.believed_counts() if r.question.variant == PLAIN]
    exact = [record for record in counts if record.count.exact]
    for number, group in group_records(exact, attrgetter("count.objects")).items():
        names = dict.fromkeys(record.identity.label for record in group)
        yield f"{pluralize_phrase(number or 0, result.objects)} by {', '.join(names)}"
    estimates = [record for record in counts if not record.count.exact]
    if names := dict.fromkeys(record.identity.label for record in estimates):
        yield f"estimates by {', '.join(names)}" + (", consistent" if exact else "")
    if result.published and counts:
        yield f"published: {result.published.objects:,} ({result.published.source})"


def _test_lines(records: Sequence[RunRecord]) -> Iterator[str]:
    variants, lines = group_records(records, attrgetter("question.variant")), []
    for variant, meaning in BOARD_TESTS.items():
        group = [r for r in variants.pop(variant, []) if r.outcome.status == r.question.expected]
        lines += [f"{meaning} {_num_encodings(group)}"] if group else []
    if variants:
        encodings = _num_encodings(chain.from_iterable(variants.values()))
        lines.append(f"{pluralize(len(variants), 'equivalent variant')} on {encodings}")
    if lines:
        yield "; ".join(lines)


def _solvers_of(runs: Sequence[tuple[RunTask, str]]) -> str:
    """Return the names of solvers by task, as text."""
    lines = []
    for task, noun in ((DECIDE, "answers"), (COUNT, "counts")):
        if names := dict.fromkeys(name for run_task, name in runs if run_task == task):
            lines.append(f"{noun} of {', '.join(names)}")
    return "; ".join(lines)


def to_json(result: ValidationResult) -> dict[str, Any]:
    return {
        "verdict": result.verdict.consensus,
        "complete": not result.omitted,
        "summary": list(summary(result)),
        "reasons": result.verdict.reasons,
        "problem": result.title,
        "objects": result.objects,
        "wrong_answers": result.verdict.wrong_answers,
        "runs": [
            {**_record_json(record), "refuted": result.evidence.is_refuted(record)}
            for record in result.records
        ],
        "skipped": [asdict(skipped) for skipped in result.skipped],
        "budget": result.seconds,
        "omitted": [{**run.key._asdict(), "reason": run.reason} for run in result.omitted],
        "bug_reports": [str(report.folder) for report in result.reports if report.solver],
        "disagreements": [str(report.folder) for report in result.reports if not report.solver],
    }


_RECORD_KEYS = (
    *("encoding", "variant", "expected", "formula", "solver", "version", "runtime", "command"),
    *("task", "status", "reason", "fault", "checked", "unchecked", "interval", "wall", "limit"),
    *("cpu", "memory", "solver_wall", "solver_cpu", "solver_memory"),
)
"""Fields of a record in the JSON of a validation."""


def _record_json(record: RunRecord) -> dict[str, Any]:
    fields, objects = json_data.encode(record), record.count.objects
    exact = None if objects is None else record.count.exact
    return {key: fields[key] for key in _RECORD_KEYS} | {"count": objects, "exact": exact}


def html_page(result: ValidationResult) -> str:
    """Return the HTML report: one page without external files."""
    template = page_template("report.html.j2", "boardsat.workflows.validate")
    tour = next((f for f in result.boards if isinstance(f.solution.view, Tour)), None)
    return template.render(
        title=result.title,
        verdict=result.verdict.consensus,
        headline=headline(result),
        lines=list(summary(result)),
        details=list(details(result)),
        rows=[_row(result, record) for record in result.records],
        boards=[_board(board) for board in result.boards[:MAX_BOARDS]],
        tour=_board(tour) if tour else None,
        plot=plot(result),
    )


def _row(result: ValidationResult, record: RunRecord) -> dict[str, Any]:
    return {
        "formula": record.question.varied_encoding,
        "solver": record.identity.label,
        "version": record.identity.version,
        "task": record.question.task,
        "answer": marked_answer(result, record),
        "kind": _kind(result, record),
        "note": record.outcome.fault or record.outcome.reason,
        "checked": ", ".join(record.outcome.checked),
        "wall": record.usage.scored_wall,
        "cpu": record.usage.scored_cpu,
        "memory": None
        if record.usage.scored_memory is None
        else record.usage.scored_memory / 2**20,
        "command": " ".join(record.execution.command),
    }


def _kind(result: ValidationResult, record: RunRecord) -> str:
    """Return the CSS class of an answer: wrong, open, doubtful or answered."""
    if record.outcome.fault or result.evidence.is_refuted(record):
        return "wrong"
    if not record.answered:
        return "open"
    is_disputed = any(record in pair.records for pair in result.verdict.disagreements)
    is_doubtful = is_disputed or not result.evidence.is_believed(record)
    return "doubtful" if is_doubtful and not record.outcome.checked else "answered"


def _board(board: FoundBoard) -> dict[str, str]:
    identity = board.record.identity
    return board.figure(
        f"{identity.label} {identity.version} on {board.record.question.varied_encoding}"
    )


def plot(result: ValidationResult) -> str:
    """Return an SVG plot of wall times with a row for each formula.

    Dots are hollow without an answer, and red if it is wrong.
    """
    records = result.records
    rows = list(dict.fromkeys(record.question.varied_encoding for record in records))
    longest = max([1.0, *(record.usage.scored_wall for record in records)])
    height = _TOP + _ROW * len(rows) + 10
    ticks = [10.0**power for power in range(-2, math.ceil(math.log10(longest)) + 1)]
    scale = (_RIGHT - _LEFT) / math.log10(ticks[-1] / _MIN_SECONDS)

    def across(seconds: float) -> float:
        return _LEFT + scale * math.log10(max(seconds, _MIN_SECONDS) / _MIN_SECONDS)

    shapes = [
        f'<path d="M{across(tick):.1f} {_TOP - 6}V{height - 8}" class="rule"/>'
        f'<text x="{across(tick):.1f}" y="12" text-anchor="middle">{tick:g} s</text>'
        for tick in ticks
    ]
    for number, row in enumerate(rows):
        shapes.append(
            f'<text x="{_LEFT - 10}" y="{_TOP + _ROW * number + 13}" text-anchor="end">'
            f"{escape(row)}</text>"
        )
    for record in records:
        y = _TOP + _ROW * rows.index(record.question.varied_encoding) + 9
        task = "count" if record.question.task == COUNT else "decide"
        state, answer = _kind(result, record), marked_answer(result, record)
        seconds = record.usage.scored_wall
        shapes.append(
            f'<circle cx="{across(seconds):.1f}" cy="{y}" r="4.5" class="{task} {state}">'
            f"<title>{escape(record.identity.label)}, "
            f"{escape(record.question.varied_encoding)}: "
            f"{escape(answer)}, {seconds:.2f} s</title></circle>"
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_RIGHT + 30} {height}" '
        f'role="img" aria-label="wall time of each run">{"".join(shapes)}</svg>'
    )

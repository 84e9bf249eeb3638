"""HTML report of a validation: one page without external files."""

from __future__ import annotations

import math
from html import escape
from typing import Any

from boardsat.adapters.views.solution import Tour
from boardsat.campaign.report import page_template
from boardsat.campaign.report.found_boards import FoundBoard
from boardsat.campaign.runner.records import COUNT, RunRecord
from boardsat.workflows.validate.result import (
    ValidationResult,
    details,
    headline,
    marked_answer,
    summary,
)

MAX_BOARDS = 24
"""Maximum number of drawn boards."""

_LEFT, _RIGHT, _ROW, _TOP = 190, 610, 18, 24
_MIN_SECONDS = 0.01
"""Time at the left end of the logarithmic axis."""


def page(result: ValidationResult) -> str:
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

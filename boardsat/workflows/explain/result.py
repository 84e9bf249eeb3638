"""Explanation: constraints and rows of a MUS in words of the board, as text and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from boardsat.adapters.answer import Status, Usage
from boardsat.adapters.mus.workers import REFEREE
from boardsat.terminal.streams import paint_word

WIDTH = 100

MAX_CELLS, MAX_PHRASES = 60, 12
"""Rows of a constraint that are listed: cells, and longer descriptions."""


@dataclass(frozen=True)
class Part:
    """Constraint, or one row of its `for`."""

    constraint: str
    about: str
    """Cells, values or moves of the row. Empty for a whole constraint."""
    row: Mapping[str, int] = field(default_factory=dict)
    """Values that the `for` binds."""


@dataclass(frozen=True)
class Explanation:
    """Minimal unsatisfiable subset (MUS) of the constraints. Returned by `boardsat.explain`.

    It prints as a report.

    Attributes
    ----------
    status : Status
        UNSATISFIABLE, SATISFIABLE if there is nothing to explain, or UNKNOWN.
    reason : str
        Reason for the status UNKNOWN.
    meaning : str
        Meaning of UNSATISFIABLE for the problem.
    arguments : tuple of str
        Arguments from the board alone, such as parity.
    parts : tuple of Part
        Elements of the MUS: each has a ``constraint``, and ``about`` and ``row`` for the row of
        its ``for``.
    is_minimal : bool
        True if removing any one part makes the others satisfiable; False if a limit was reached.
    is_smallest : bool
        True if the same constraints have no smaller MUS.
    checked, unchecked : tuple of str
        Properties that a second solver confirmed, and those that it did not.
    encoding : str
        Spec of the constraints.
    abandoned_encoding : str
        Lazy spec whose rounds of cuts did not suffice. Empty if there is none.
    usage : Usage
        Resources used: ``wall`` and ``cpu`` in seconds.
    """

    status: Status
    reason: str = ""
    meaning: str = ""
    arguments: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    is_minimal: bool = False
    is_smallest: bool = False
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    encoding: str = ""
    abandoned_encoding: str = ""
    usage: Usage = field(default_factory=lambda: Usage(0.0, 0.0))

    def __str__(self) -> str:
        """Return the explanation as text, constraint by constraint."""
        return "\n".join(_lines(self))

    def to_json(self) -> dict[str, Any]:
        """Return the explanation as JSON data."""
        return {
            "status": self.status.name,
            "reason": self.reason,
            "words": self.meaning,
            "arguments": list(self.arguments),
            "parts": [
                {"constraint": part.constraint, "about": part.about, "row": dict(part.row)}
                for part in self.parts
            ],
            "minimal": self.is_minimal,
            "smallest": self.is_smallest,
            "checked": list(self.checked),
            "unchecked": list(self.unchecked),
            "encoding": self.encoding,
            "instead_of": self.abandoned_encoding,
            "wall": round(self.usage.wall, 3),
            "cpu": self.usage.cpu,
        }


def _lines(explanation: Explanation) -> list[str]:
    match explanation.status:
        case Status.SATISFIABLE:
            first = "nothing to explain; `boardsat solve` shows a solution"
            return [f"{paint_word(explanation.status.name)}: {first}"]
        case Status.UNKNOWN:
            status = paint_word(explanation.status.name)
            first = f"{status} ({explanation.reason}): {explanation.usage}"
            return [first, *_reasons(explanation)]
    meaning = f": {explanation.meaning}" if explanation.meaning else ""
    lines = [f"{paint_word(explanation.status.name)}{meaning}", *_reasons(explanation)]
    lines += [_heading(explanation), *_listed(explanation.parts)]
    if explanation.is_smallest and len(explanation.parts) > 1:
        lines.append("smallest: no fewer rows of these constraints exclude each other")
    if explanation.checked:
        lines.append(f"checked by {REFEREE}: {', '.join(explanation.checked)}")
    if explanation.unchecked:
        lines.append(f"{paint_word('NOT checked')}: {', '.join(explanation.unchecked)}")
    if lazy_spec := explanation.abandoned_encoding:
        lines.append(f"the rounds of cuts of {lazy_spec} did not suffice: {explanation.encoding}")
    return lines


def _reasons(explanation: Explanation) -> list[str]:
    return [f"reason: {argument}" for argument in explanation.arguments]


def _heading(explanation: Explanation) -> str:
    size = len(explanation.parts)
    if not size:
        return "No constraint is needed for that: the numbers of the spec have no values."
    if size == 1:
        return "This cannot hold by itself:"
    others = "the other" if size == 2 else "the others"
    if explanation.is_minimal:
        alone = "can hold" if size == 2 else "can hold together"
        return f"These {size:,} exclude each other; without any one of them {others} {alone}:"
    return f"These {size:,} exclude each other (not minimal: the time ran out):"


def _listed(parts: tuple[Part, ...]) -> Iterator[str]:
    """Yield a paragraph for each constraint with its rows."""
    by_name: dict[str, list[str]] = {}
    for part in parts:
        by_name.setdefault(part.constraint, []).append(part.about)
    for name, abouts in by_name.items():
        subjects = [about for about in abouts if about]
        is_long = any(" " in about for about in subjects)
        max_listed = MAX_PHRASES if is_long else MAX_CELLS
        hidden = len(subjects) - max_listed
        more = [f"and {hidden:,} more (--json lists all)"] if hidden > 0 else []
        text = f"{name}: {('; ' if is_long else ', ').join([*subjects[:max_listed], *more])}"
        text = text if subjects else name
        yield textwrap.fill(
            text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )

"""Explanation of unsatisfiability: a MUS of constraints and their rows, as text and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from boardsat.adapters.answer import Status, Usage
from boardsat.adapters.mus.workers import VERIFICATION_LIBRARY
from boardsat.terminal.streams import paint_word

WIDTH = 100
"""Width of the text in characters."""

MAX_CELLS, MAX_PHRASES = 60, 12
"""Maximum number of rows listed for a constraint: of single cells, and of longer phrases."""


@dataclass(frozen=True)
class CoreConstraint:
    """Constraint of a MUS, or one row of its `for`."""

    constraint: str
    """Name of the constraint in the spec, or the clue."""
    subject: str
    """Cells, values or moves of the row. Empty for all rows of a constraint."""
    row: Mapping[str, int] = field(default_factory=dict)
    """Values that the `for` binds. Empty for all rows of a constraint."""


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
    core : tuple of CoreConstraint
        Elements of the MUS. Each has the name of its ``constraint``, and the ``subject`` and the
        bound values (``row``) of the row of its ``for``. Empty unless the status is UNSATISFIABLE.
    is_minimal : bool
        True if the core without any one element is satisfiable; False if a limit was reached
        before the core was minimal.
    is_smallest : bool
        True if no MUS of the same constraints has fewer rows.
    checked, unchecked : tuple of str
        Properties of the core that a second solver confirmed, and those that it did not.
    encoding : str
        Spec of the constraints, such as ``"queens/squares"``.
    abandoned_encoding : str
        Lazy spec that was replaced by `encoding`, as its rounds of cuts did not suffice. Empty if
        none was.
    usage : Usage
        Resources used: ``wall`` and ``cpu`` in seconds.

    Examples
    --------
    >>> print(boardsat.explain("queens", n=2))
    UNSATISFIABLE: 2 queens do not fit on 2x2
    Minimal conflict; dropping any one makes the rest satisfiable:
      one queen on every rank: a1, b1
      one queen on every file: a2, a1; b2, b1
      at most one queen on a falling diagonal: a2, b1
      at most one queen on a rising diagonal: b2, a1
    smallest: no MUS of these constraints has fewer rows
    checked by cadical195: unsatisfiable together, satisfiable without any one
    """

    status: Status
    reason: str = ""
    meaning: str = ""
    arguments: tuple[str, ...] = ()
    core: tuple[CoreConstraint, ...] = ()
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
            "core": [
                {
                    "constraint": element.constraint,
                    "subject": element.subject,
                    "row": dict(element.row),
                }
                for element in self.core
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
    lines += [_heading(explanation), *_paragraphs(explanation.core)]
    if explanation.is_smallest and len(explanation.core) > 1:
        lines.append("smallest: no MUS of these constraints has fewer rows")
    if explanation.checked:
        lines.append(f"checked by {VERIFICATION_LIBRARY}: {', '.join(explanation.checked)}")
    if explanation.unchecked:
        lines.append(f"{paint_word('NOT checked')}: {', '.join(explanation.unchecked)}")
    if lazy_spec := explanation.abandoned_encoding:
        lines.append(f"the rounds of cuts of {lazy_spec} did not suffice: {explanation.encoding}")
    return lines


def _reasons(explanation: Explanation) -> list[str]:
    return [f"reason: {argument}" for argument in explanation.arguments]


def _heading(explanation: Explanation) -> str:
    size = len(explanation.core)
    if not size:
        return "No constraint is needed: the integers of the spec have no values."
    if size == 1:
        return "This is unsatisfiable by itself:"
    if not explanation.is_minimal:
        return f"Conflict of {size:,} (not minimal: a limit was reached):"
    return "Minimal conflict; dropping any one makes the rest satisfiable:"


def _paragraphs(core: tuple[CoreConstraint, ...]) -> Iterator[str]:
    """Yield a paragraph for each constraint with its rows."""
    subjects_by_name: dict[str, list[str]] = {}
    for element in core:
        subjects = subjects_by_name.setdefault(element.constraint, [])
        subjects += [element.subject] if element.subject else []
    for name, subjects in subjects_by_name.items():
        is_long = any(" " in subject for subject in subjects)
        max_listed = MAX_PHRASES if is_long else MAX_CELLS
        listed, num_hidden = subjects[:max_listed], len(subjects) - max_listed
        if num_hidden > 0:
            listed.append(f"and {num_hidden:,} more (--json lists all)")
        separator = "; " if is_long else ", "
        text = f"{name}: {separator.join(listed)}" if subjects else name
        yield textwrap.fill(
            text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )

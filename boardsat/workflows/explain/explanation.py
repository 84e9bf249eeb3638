"""An explanation: what excludes each other, in the words of the board, as text and as data."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from boardsat.adapters.answer import Status, Usage
from boardsat.adapters.mus.workers import REFEREE
from boardsat.terminal.ansi import word

WIDTH = 100

SHORT, LONG = 60, 12
"""What is listed of one constraint: squares alone, and whatever takes more words."""


@dataclass(frozen=True)
class Part:
    """A constraint, or one row of its `for`."""

    constraint: str
    about: str
    """The squares, values or moves that it speaks of; empty for a whole constraint."""
    row: Mapping[str, int] = field(default_factory=dict)
    """What its `for` binds."""


@dataclass(frozen=True)
class Explanation:
    status: Status
    reason: str = ""
    """Why the status is not known."""
    words: str = ""
    """What it means that there is no solution."""
    arguments: tuple[str, ...] = ()
    """What can be seen from the board alone."""
    parts: tuple[Part, ...] = ()
    """They cannot hold together."""
    is_minimal: bool = False
    """Whether it is known of each part that the others can hold without it."""
    is_smallest: bool = False
    """Whether no fewer parts of the same constraints exclude each other."""
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    encoding: str = ""
    """The spec whose constraints they are."""
    instead: str = ""
    """The lazy spec that was given up for it."""
    usage: Usage = field(default_factory=lambda: Usage(0.0, 0.0))

    def __str__(self) -> str:
        """Constraint by constraint, and how far it can be trusted."""
        return "\n".join(_lines(self))

    def data(self) -> dict[str, Any]:
        """All of it, for programs."""
        return {
            "status": self.status.name,
            "reason": self.reason,
            "words": self.words,
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
            "instead_of": self.instead,
            "wall": round(self.usage.wall, 3),
            "cpu": self.usage.cpu,
        }


def _lines(told: Explanation) -> list[str]:
    match told.status:
        case Status.SATISFIABLE:
            first = "nothing to explain; `boardsat solve` shows a solution"
            return [f"{word(told.status.name)}: {first}"]
        case Status.UNKNOWN:
            first = f"{word(told.status.name)} ({told.reason}): {told.usage}"
            return [first, *_reasons(told)]
    meaning = f": {told.words}" if told.words else ""
    lines = [f"{word(told.status.name)}{meaning}", *_reasons(told)]
    lines += [_heading(told), *_listed(told.parts)]
    if told.is_smallest and len(told.parts) > 1:
        lines.append("smallest: no fewer rows of these constraints exclude each other")
    if told.checked:
        lines.append(f"checked by {REFEREE}: {', '.join(told.checked)}")
    if told.unchecked:
        lines.append(f"{word('NOT checked')}: {', '.join(told.unchecked)}")
    if told.instead:
        lines.append(f"the rounds of cuts of {told.instead} did not suffice: {told.encoding}")
    return lines


def _reasons(told: Explanation) -> list[str]:
    return [f"reason: {argument}" for argument in told.arguments]


def _heading(told: Explanation) -> str:
    size = len(told.parts)
    if not size:
        return "No constraint is needed for that: the numbers of the spec have no values."
    if size == 1:
        return "This cannot hold by itself:"
    others = "the other" if size == 2 else "the others"
    if told.is_minimal:
        alone = "can hold" if size == 2 else "can hold together"
        return f"These {size:,} exclude each other; without any one of them {others} {alone}:"
    return f"These {size:,} exclude each other (not minimal: the time ran out):"


def _listed(parts: tuple[Part, ...]) -> Iterator[str]:
    """A constraint with all that it is about, and the next."""
    by_name: dict[str, list[str]] = {}
    for part in parts:
        by_name.setdefault(part.constraint, []).append(part.about)
    for name, abouts in by_name.items():
        told = [about for about in abouts if about]
        is_long = any(" " in about for about in told)
        most = LONG if is_long else SHORT
        more = [f"and {len(told) - most:,} more (--json lists all)"] if len(told) > most else []
        text = f"{name}: {('; ' if is_long else ', ').join([*told[:most], *more])}"
        text = text if told else name
        yield textwrap.fill(
            text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )

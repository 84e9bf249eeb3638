"""A count as text, as plain data, or as a row of a table."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boardsat.adapters.counts import counted as how_many
from boardsat.adapters.counts import counted_as
from boardsat.notes import notes
from boardsat.terminal import ansi

if TYPE_CHECKING:
    from boardsat.counting.projections import ProjectionVerdict
    from boardsat.counting.workflow import Count, Referee
    from boardsat.problem import Instance

HEADS = ["instance", "count", "of what", "counter", "seconds", "referee"]


@dataclass(frozen=True)
class Counted:
    """A count with all that is to be said of it."""

    instance: Instance
    """A formula, or the board alone where that was counted."""
    found: list[Count]
    """One for each seed."""
    referee: Referee | None
    projection: ProjectionVerdict | None
    """None where there is no formula, or one from elsewhere."""
    epsilon: float
    delta: float
    chosen: str = ""
    """Why this counter, where nobody named one."""
    default: tuple[str, ...] = ()
    """The line about the encoding, where nobody named one."""

    @property
    def middle(self) -> Count:
        from boardsat.counting.workflow import median

        return median(self.found)

    @property
    def verdict(self) -> str | None:
        from boardsat.counting.workflow import verdict

        return verdict(self.middle, self.referee) if self.referee else None

    @property
    def number(self) -> int | None:
        """How many; None where the counter came to no end."""
        return self.middle.objects

    @property
    def exact(self) -> bool:
        return self.middle.exact

    @property
    def interval(self) -> tuple[int, int] | None:
        """What the guarantee of an estimate says: at least, and at most."""
        return self.middle.interval

    def __str__(self) -> str:
        return ansi.plain(text(self))

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    @property
    def objects(self) -> str:
        name: str = self.instance.header.objects.get("name", "models")
        return name


def text(counted: Counted) -> str:
    middle, found = counted.middle, counted.found
    lines = [_first(counted)]
    if counted.chosen:
        lines.append(f"counter: {middle.answer.solver} ({counted.chosen})")
    lines += counted.default
    if len(found) > 1:
        shown = ", ".join("none" if f.objects is None else f"{f.objects:,}" for f in found)
        lines.append(f"median of {len(found)} seeds: {shown}")
    lines.append(f"projection: {_projection(counted)}")
    if counted.referee is not None:
        lines.append(_compared(counted, counted.referee))
    lines += notes(counted.instance)
    return "\n".join(lines)


def _projection(counted: Counted) -> str:
    if counted.projection is not None:
        return f"{counted.projection.word}, {counted.projection.reason}"
    if not counted.instance.path:
        return "none is needed, the board itself was counted"
    return "of a file from elsewhere, taken as it is"


def _projection_word(counted: Counted) -> str:
    if counted.projection is not None:
        return counted.projection.word
    return "unchecked" if counted.instance.path else "not needed"


def _first(counted: Counted) -> str:
    count = counted.middle
    answer, usage = count.answer, count.answer.usage
    how = f"{answer.who}, {usage}"
    if count.objects is None:
        return f"no count ({answer.reason}): {how}"
    line = counted_as(count.objects, counted.objects)
    if count.models not in (None, count.objects):
        line += f" ({how_many(count.models or 0, 'model')})"
    line += f", {_exactly(count)}: {how}"
    if count.interval is not None:
        least, most = count.interval
        sure = f"{100 * (1 - counted.delta):.10g}%"
        line += f"\nbetween {least:,} and {most:,} with a confidence of {sure}"
    return line


def _exactly(count: Count) -> str:
    return "exactly" if count.exact else "about"


def _compared(counted: Counted, other: Referee) -> str:
    from boardsat.counting.workflow import INSIDE, verdict

    middle, found = counted.middle, counted.found
    if other.objects is None:
        return f"referee: {other.source}: no count ({other.reason})"
    line = f"referee: {other.objects:,} ({other.source})"
    word = verdict(middle, other)
    if word is not None and middle.objects is not None:
        line += f": {ansi.word(word)}"
        if not middle.exact and other.objects:
            line += f", the estimate is {middle.objects / other.objects:.3f} of it"
    if len(found) > 1:
        line += f"; {sum(verdict(f, other) == INSIDE for f in found)} of {len(found)} inside"
    return line


def row(name: str, counted: Counted) -> list[str]:
    middle = counted.middle
    answer = middle.answer
    done = middle.objects is not None
    return [
        name,
        f"{middle.objects:,}" if done else "",
        f"{counted.objects}, {_exactly(middle)}" if done else f"no count ({answer.reason})",
        answer.solver,
        f"{sum(each.answer.usage.wall for each in counted.found):.2f}",
        counted.verdict or "",
    ]


def faulty_row(name: str, fault: str) -> list[str]:
    return [name, "", fault, "", "", ""]


def described(name: str, counted: Counted) -> dict[str, Any]:
    from boardsat.counting.workflow import verdict

    middle, other = counted.middle, counted.referee
    answer = middle.answer
    return {
        "instance": name,
        "count": middle.objects,
        "models": middle.models,
        "notes": list(counted.instance.notes),
        "objects": counted.objects,
        "exact": middle.exact,
        "interval": middle.interval,
        "epsilon": None if middle.exact else counted.epsilon,
        "confidence": None if middle.exact else 1 - counted.delta,
        "projection": _projection_word(counted),
        "verdict": counted.verdict,
        "referee": _described_referee(other) if other else None,
        "reason": answer.reason,
        "chosen": counted.chosen,
        "runs": [
            {
                "count": each.objects,
                "interval": each.interval,
                "verdict": verdict(each, other) if other else None,
                "command": list(each.answer.command),
                "wall": round(each.answer.usage.wall, 3),
                "cpu": each.answer.usage.cpu,
                "memory": each.answer.usage.memory,
            }
            for each in counted.found
        ],
        "counter": answer.solver,
        "runtime": answer.runtime,
        "passed_over": dict(answer.passed_over),
        "version": answer.version,
        "wall": round(answer.usage.wall, 3),
        "cpu": answer.usage.cpu,
        "memory": answer.usage.memory,
    }


def _described_referee(other: Referee) -> dict[str, Any]:
    return {
        "name": other.name,
        "source": other.source,
        "count": other.objects,
        "exact": other.exact,
        "interval": other.interval,
        "reason": other.reason,
    }

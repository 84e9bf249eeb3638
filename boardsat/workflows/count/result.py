"""A count as text, as plain data, or as a row of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boardsat.adapters.answer import End
from boardsat.base.text import pluralize, pluralize_phrase
from boardsat.instance.formula_file import note_lines
from boardsat.terminal import ansi
from boardsat.workflows.count import numerals
from boardsat.workflows.count.numerals import in_digits

if TYPE_CHECKING:
    from fractions import Fraction

    from boardsat.instance.formula_file import FormulaFile, Instance
    from boardsat.workflows.count.burnside import Whole
    from boardsat.workflows.count.counter_run import Count
    from boardsat.workflows.count.projections import ProjectionVerdict
    from boardsat.workflows.count.reference import Agreement, CountComparison, Referee

HEADS = ["instance", "count", "of what", "counter", "seconds", "referee"]


@dataclass(frozen=True)
class Counted:
    """A count with all that is to be said of it."""

    instance: Instance
    """A formula, or the board alone where that was counted."""
    found: list[Count]
    """One for each seed."""
    middle: Count
    """Their median."""
    comparison: CountComparison | None
    """None where there is no referee, or nothing to compare with a counter."""
    projection: ProjectionVerdict | None
    """None where there is no formula, or one from elsewhere."""
    epsilon: float
    delta: float
    chosen: str = ""
    """Why this counter, where nobody named one."""
    default: tuple[str, ...] = ()
    """The line about the encoding, where nobody named one."""
    limit: float | None = None
    """Seconds for all of it together, whether given or usual."""
    remedy: str = ""
    """What to do where there is no count."""
    is_as_told: bool = True
    """Whether the formula is known to be the one that its header describes."""
    whole: Whole | None = None
    """The number of all, where classes under symmetries were counted."""

    @property
    def referee(self) -> Referee | None:
        return self.comparison.referee if self.comparison else None

    @property
    def verdict(self) -> Agreement | None:
        return self.comparison.verdict if self.comparison else None

    @property
    def number(self) -> int | Fraction | None:
        """How many; where literals have weights, the sum over all models of the products of theirs.

        None where the counter came to no end.
        """
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
        import html

        return f"<pre>{html.escape(str(self))}</pre>"

    @property
    def encoding(self) -> str | None:
        """Of the formula; None where the board itself was counted, or nobody knows."""
        told = self.instance.header.about.get("spec") if self.instance.path else None
        return str(told) if told else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What is wrong with the file, or not known of it."""
        from boardsat.adapters.dimacs.literal_weights import WEIGHTS_IGNORED

        unknown = not self.is_as_told and self.instance.header.objects
        word = f"that its models stand for {self.objects} is the word of its header"
        told = (note for note in self.instance.notes if note != WEIGHTS_IGNORED)
        return (*told, *([word] if unknown else []))

    @property
    def objects(self) -> str:
        name: str = self.instance.header.objects.get("name", "models")
        return name


def text(counted: Counted) -> str:
    middle, found = counted.middle, counted.found
    lines = [_first(counted)]
    if counted.whole is not None:
        lines.append(counted.whole.text())
    lines += counted.instance.symmetry_lines
    if counted.chosen:
        lines.append(f"counter: {middle.answer.solver} ({counted.chosen})")
    lines += counted.default
    if len(found) > 1:
        each = ", ".join("none" if f.objects is None else in_digits(f.objects) for f in found)
        lines.append(f"median of {len(found)} seeds: {each}")
    lines.append(f"projection: {_projection(counted)}")
    if counted.comparison is not None:
        lines.append(_compared(counted, counted.comparison))
    lines += note_lines(counted.notes)
    if counted.remedy:
        lines.append(f"to have a count: {counted.remedy}")
    return "\n".join(lines)


def _projection(counted: Counted) -> str:
    from boardsat.instance.formula_file import FormulaFile

    problem = counted.instance
    if not isinstance(problem, FormulaFile):
        # Of what was not even made, nothing is known.
        return "none is needed, the board itself was counted" if problem.comments else "not known"
    known = counted.projection
    said = f"{known.word}, {known.reason}" if known else _unchecked(problem)
    return f"{said} ({_variables(problem)})"


def _unchecked(problem: FormulaFile) -> str:
    """Of a file that no board is read from: whose projection it is."""
    if problem.header.projection is None:
        return "all variables, none is named"
    return "as its spec says" if problem.header.about else "as the file says"


def _variables(problem: FormulaFile) -> str:
    """Those that are counted over: H, 160 of 370 variables."""
    chosen = set(problem.projection().tolist())
    ids = {name: set(each.ids.tolist()) for name, each in problem.header.variables.items()}
    # Several names may have the same variables: the one that has the fewest others is meant.
    whole = sorted((n for n in ids if chosen and chosen <= ids[n]), key=lambda n: len(ids[n]))
    names = whole[:1] or [n for n in ids if ids[n] & chosen]
    if names and not chosen <= set().union(*ids.values()):
        names.append("auxiliary variables")
    return (
        f"{', '.join([*names, f'{len(chosen):,} of'])} {pluralize(problem.variables, 'variable')}"
    )


def _projection_word(counted: Counted) -> str:
    if counted.projection is not None:
        return counted.projection.word
    return "unchecked" if counted.instance.path else "not needed"


def _first(counted: Counted) -> str:
    count = counted.middle
    answer, usage = count.answer, count.answer.usage
    how = f"{answer.who}, {usage}"
    if count.objects is None:
        return f"no count {_why(counted)}: {how}"
    if counted.instance.weighted:
        return f"weighted count of {counted.objects}: {in_digits(count.objects)}, exactly: {how}"
    line = pluralize_phrase(int(count.objects), counted.objects)
    if count.models not in (None, count.objects):
        line += f" ({pluralize(count.models or 0, 'model')})"
    line += f", {_exactly(count)}: {how}"
    if count.interval is not None:
        least, most = count.interval
        sure = f"{100 * (1 - counted.delta):.10g}%"
        line += f"\nbetween {least:,} and {most:,} with a confidence of {sure}"
    return line


def _why(counted: Counted) -> str:
    """Why there is no count, in words."""
    answer = counted.middle.answer
    if answer.end is End.TIME and counted.limit is not None:
        return f"within {counted.limit:g} s"
    return f"({answer.reason})"


def _exactly(count: Count) -> str:
    return "exactly" if count.exact else "about"


def _compared(counted: Counted, comparison: CountComparison) -> str:
    from boardsat.workflows.count.reference import Agreement

    middle, other, word = counted.middle, comparison.referee, comparison.verdict
    if other.objects is None:
        return f"referee: {other.source}: no count ({other.reason})"
    line = f"referee: {in_digits(other.objects)} ({other.source})"
    if word is not None and middle.objects is not None:
        line += f": {ansi.word(word)}"
        if not middle.exact and other.objects:
            line += f", the estimate is {_ratio(int(middle.objects), int(other.objects))} of it"
    if (runs := len(comparison.each)) > 1:
        line += f"; {comparison.each.count(Agreement.INSIDE)} of {runs} inside"
    return line


def _ratio(one: int, other: int) -> str:
    """A quotient of counts may be larger than any float."""
    most = 10**9
    return f"over {most:,} times" if one > most * other else f"{one / other:.3f}"


def row(name: str, counted: Counted) -> list[str]:
    middle = counted.middle
    answer = middle.answer
    what = f"{'weighted ' * counted.instance.weighted}{counted.objects}, {_exactly(middle)}"
    return [
        name,
        "" if middle.objects is None else in_digits(middle.objects),
        f"no count {_why(counted)}" if middle.objects is None else f"{what}{_in_all(counted)}",
        answer.solver,
        f"{sum(each.answer.usage.wall for each in counted.found):.2f}",
        counted.verdict or "",
    ]


def _in_all(counted: Counted) -> str:
    whole = counted.whole
    return f"; {whole.objects:,} in all" if whole and whole.objects is not None else ""


def faulty_row(name: str, fault: str) -> list[str]:
    return [name, "", fault, "", "", ""]


def described(name: str, counted: Counted) -> dict[str, Any]:
    middle, other = counted.middle, counted.referee
    answer = middle.answer
    verdicts = counted.comparison.each if counted.comparison else [None] * len(counted.found)
    if len(verdicts) < len(counted.found):
        verdicts = [None] * len(counted.found)  # it was the number of all that was compared
    return {
        "instance": name,
        "count": numerals.models(middle.objects),
        "weighted": numerals.described(middle.objects),
        "models": middle.models,
        "symmetry": counted.instance.header.symmetry or None,
        "all": counted.whole.described() if counted.whole else None,
        "notes": list(counted.notes),
        "objects": counted.objects,
        "exact": middle.exact,
        "interval": middle.interval,
        "epsilon": None if middle.exact else counted.epsilon,
        "confidence": None if middle.exact else 1 - counted.delta,
        "encoding": counted.encoding,
        "projection": _projection_word(counted),
        "verdict": counted.verdict,
        "referee": _described_referee(other) if other else None,
        "reason": answer.reason,
        "limit": counted.limit,
        "remedy": counted.remedy,
        "chosen": counted.chosen,
        "runs": [
            {
                "count": numerals.models(each.objects),
                "weighted": numerals.described(each.objects),
                "interval": each.interval,
                "verdict": verdict,
                "command": list(each.answer.command),
                **each.answer.usage.to_json(),
            }
            for each, verdict in zip(counted.found, verdicts, strict=True)
        ],
        "counter": answer.solver,
        "runtime": answer.runtime,
        "passed_over": dict(answer.passed_over),
        "version": answer.version,
        **answer.usage.to_json(),
    }


def _described_referee(other: Referee) -> dict[str, Any]:
    return {
        "name": other.name,
        "source": other.source,
        "count": numerals.models(other.objects),
        "weighted": numerals.described(other.objects),
        "exact": other.exact,
        "interval": other.interval,
        "reason": other.reason,
    }

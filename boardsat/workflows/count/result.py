"""Result of a count, with its text, JSON and table row."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from boardsat.adapters.answer import TerminationReason
from boardsat.adapters.counters import Accuracy
from boardsat.base.dataclass import dataclass
from boardsat.base.text import pluralize, pluralize_phrase
from boardsat.instance.formula_file import note_lines
from boardsat.terminal.streams import COLOURS, paint, strip_colours

if TYPE_CHECKING:
    from boardsat.instance.formula_file import FormulaFile, Instance
    from boardsat.workflows.count.burnside import BurnsideTotal
    from boardsat.workflows.count.counter_run import Count
    from boardsat.workflows.count.projections import ProjectionVerdict
    from boardsat.workflows.count.reference import Agreement, CountComparison, ReferenceCount

HEADS = ["instance", "count", "objects", "counter", "seconds", "reference"]

MAX_FRACTION_LENGTH = 40
"""Maximum length in characters of a fraction in a text; JSON has fractions of any length."""

DECIMAL_DIGITS = 17
"""Significant digits of the decimal approximation of a fraction."""

MAX_RATIO = 10**9  # a quotient of counts may exceed the largest float

_VERDICT_PHRASES = {
    "agree": "agrees",
    "disagree": "disagrees",
    "inside": "inside the interval",
    "outside": "outside the interval",
}

_CONTEXT = Context(prec=DECIMAL_DIGITS, rounding=ROUND_HALF_EVEN, Emin=-99999, Emax=99999)


@dataclass(frozen=True, eq=False)
class InstanceResult:
    """Result of counting or sampling an instance."""

    instance: Instance
    """Formula, or the board alone if no formula was read."""

    @property
    def encoding(self) -> str | None:
        """Encoding of the formula, such as ``"queens/squares"``.

        None if a board was read, or a formula file that names no encoding.
        """
        spec = self.instance.header.metadata.get("spec") if self.instance.path else None
        return str(spec) if spec else None

    @property
    def noun(self) -> str:
        """Noun for the objects, in the plural, such as ``"closed tours"``."""
        name: str = self.instance.header.counting.objects.get("name", "models")
        return name


@dataclass(frozen=True, eq=False)
class CountResult(InstanceResult):
    """Number of solutions, with its checks. Returned by `boardsat.count`; it prints as a report.

    Attributes
    ----------
    instance : Instance
        Formula or board that was counted.
    runs : list of Count
        Run of the counter for each seed; more than one only with ``repeat``.
    comparison : CountComparison or None
        Comparison with the reference count. None if there is no reference, or no count.
    total : BurnsideTotal or None
        Number of all solutions, if orbits under symmetries were counted. See `total_count`.
    projection : ProjectionVerdict or None
        Verdict on the projection: its ``validity`` and ``reason``. None if a board was counted,
        or a formula without a view, whose projection is accepted unchecked.
    header_verified : bool
        True if rebuilding from the header reproduces the formula exactly.
    accuracy : Accuracy
        Tolerance ``epsilon`` and failure probability ``delta`` of an estimate.
    counter_reason : str
        Reason for the selected counter. Empty if the user named it.
    encoding_note : tuple of str
        Line about the default encoding. Empty if the user named one.
    time_limit : float or None
        Wall-clock limit of the whole count in seconds. None: unlimited.
    remedy : str
        Suggestion how to obtain a count. Empty if there is one.

    Examples
    --------
    >>> result = boardsat.count("queens", n=6)
    >>> result.count, result.exact, result.noun
    (4, True, 'placements of the queens')
    >>> estimate = boardsat.count("queens", n=6, epsilon=0.5, seed=1)
    >>> low, high = estimate.interval
    >>> estimate.exact, low <= estimate.count <= high
    (False, True)
    """

    runs: list[Count]
    comparison: CountComparison | None
    total: BurnsideTotal | None
    projection: ProjectionVerdict | None
    header_verified: bool
    accuracy: Accuracy
    counter_reason: str
    encoding_note: tuple[str, ...]
    time_limit: float | None
    remedy: str

    @cached_property
    def median(self) -> Count:
        """Run with the median count."""
        from boardsat.workflows.count.counter_run import median

        return median(self.runs)

    @property
    def count(self) -> int | Fraction | None:
        """Number of solutions, or of their orbits if symmetries are broken.

        For a formula with weights it is the weighted count, a `fractions.Fraction`: the sum over
        all models of the product of the weights of their literals. None if a limit was reached.
        """
        return self.median.objects

    @property
    def total_count(self) -> int | None:
        """Number of all solutions by Burnside's lemma, if their orbits were counted.

        None without ``break_symmetry``, or if it could not be computed.
        """
        return self.total.objects if self.total else None

    @property
    def exact(self) -> bool:
        """True if the count is exact, False if it is an estimate."""
        return self.median.exact

    @property
    def interval(self) -> tuple[int, int] | None:
        """Interval that contains the exact count with probability 1 - delta. None if exact."""
        return self.median.interval

    @property
    def reference(self) -> ReferenceCount | None:
        """Published count, or count of another counter. None if the count was not compared."""
        return self.comparison.reference if self.comparison else None

    @property
    def verdict(self) -> Agreement | None:
        """Agreement with the reference: "agree", "disagree", or "inside", "outside" its interval.

        None if there is no reference, or if one of the two has no count.
        """
        return self.comparison.verdict if self.comparison else None

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings about the file or graph, such as an unverified header."""
        from boardsat.adapters.dimacs.literal_weights import WEIGHTS_IGNORED

        unverified = not self.header_verified and self.instance.header.counting.objects
        claim = f"the header claims that models represent {self.noun}; this is not verified"
        notes = (note for note in self.instance.notes if note != WEIGHTS_IGNORED)
        return (*notes, *([claim] if unverified else []))

    def __str__(self) -> str:
        return strip_colours(text(self))

    def __repr__(self) -> str:
        return f"<boardsat.CountResult {self.count} {self.noun}>"

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(str(self))}</pre>"


def text(count_result: CountResult) -> str:
    """Return the result as text with colours."""
    runs = count_result.runs
    lines = [_first_line(count_result)]
    if count_result.total is not None:
        lines.append(count_result.total.text())
    lines += count_result.instance.symmetry_lines
    if count_result.counter_reason:
        counter = count_result.median.answer.run.solver
        lines.append(f"counter: {counter} ({count_result.counter_reason})")
    lines += count_result.encoding_note
    if len(runs) > 1:
        numbers = ("none" if run.objects is None else number_text(run.objects) for run in runs)
        lines.append(f"median of {len(runs)} seeds: {', '.join(numbers)}")
    lines.append(f"projection: {_projection_text(count_result)}")
    if count_result.comparison is not None:
        lines.append(_comparison_text(count_result, count_result.comparison))
    lines += note_lines(count_result.notes)
    if count_result.remedy:
        lines.append(f"to obtain a count: {count_result.remedy}")
    return "\n".join(lines)


def _projection_text(count_result: CountResult) -> str:
    from boardsat.instance.formula_file import FormulaFile

    formula, verdict = count_result.instance, count_result.projection
    if not isinstance(formula, FormulaFile):
        # A board that was not built before a limit has no comments.
        return "not needed, the board itself was counted" if formula.comments else "unknown"
    text = f"{verdict.validity}, {verdict.reason}" if verdict else _projection_author(formula)
    return f"{text} ({_projected_variables(formula)})"


def _projection_author(formula: FormulaFile) -> str:
    if formula.header.counting.projection is None:
        return "all variables (default)"
    return "set by the spec, unchecked" if formula.header.metadata else "set by the file, unchecked"


def _projected_variables(formula: FormulaFile) -> str:
    """Return a description of the projection, such as "H, 160 of 370 variables"."""
    projected = set(formula.projection().tolist())
    ids = {
        name: set(variables.ids.tolist()) for name, variables in formula.header.variables.items()
    }
    # Several names may cover the projection; choose the one with the fewest other variables.
    covering = [name for name in ids if projected and projected <= ids[name]]
    names = sorted(covering, key=lambda name: len(ids[name]))[:1]
    names = names or [name for name in ids if ids[name] & projected]
    if names and not projected <= set().union(*ids.values()):
        names.append("auxiliary variables")
    names.append(f"{len(projected):,} of")
    return f"{', '.join(names)} {pluralize(formula.variables, 'variable')}"


def _first_line(count_result: CountResult) -> str:
    count = count_result.median
    run = f"{count.answer.run.description}, {count.answer.run.usage}"
    if count.objects is None:
        return f"no count {_failure(count_result)}: {run}"
    if count_result.instance.weighted:
        number = number_text(count.objects)
        return f"weighted count of {count_result.noun}: {number}, exactly: {run}"
    line = pluralize_phrase(int(count.objects), count_result.noun)
    if count.models not in (None, count.objects):
        line += f" ({pluralize(count.models or 0, 'model')})"
    line += f", {_exactness(count)}: {run}"
    if count.interval is not None:
        low, high = count.interval
        confidence = f"{100 * (1 - count_result.accuracy.delta):.10g}%"
        line += f"\nbetween {low:,} and {high:,} with a confidence of {confidence}"
    return line


def _failure(count_result: CountResult) -> str:
    """Return the reason why there is no count, in parentheses or as a phrase."""
    answer = count_result.median.answer
    if answer.run.termination is TerminationReason.TIME and count_result.time_limit is not None:
        return f"within {count_result.time_limit:g} s"
    return f"({answer.reason})"


def _exactness(count: Count) -> str:
    return "exactly" if count.exact else "about"


def _comparison_text(count_result: CountResult, comparison: CountComparison) -> str:
    from boardsat.workflows.count.reference import PUBLISHED, Agreement

    count, reference, verdict = count_result.median, comparison.reference, comparison.verdict
    label = "published" if reference.name == PUBLISHED else "reference"
    if reference.objects is None:
        return f"{label}: {reference.source}: no count ({reference.reason})"
    line = f"{label}: {number_text(reference.objects)} ({reference.source})"
    if verdict is not None and count.objects is not None:
        line += f", {paint(_VERDICT_PHRASES[verdict], COLOURS[verdict], sys.stdout)}"
        if not count.exact and reference.objects:
            ratio = _ratio(int(count.objects), int(reference.objects))
            line += f"; the estimate is {ratio} times as large"
    if (runs := len(comparison.run_verdicts)) > 1:
        line += f"; {comparison.run_verdicts.count(Agreement.INSIDE)} of {runs} inside"
    return line


def _ratio(count: int, reference: int) -> str:
    if count > MAX_RATIO * reference:
        return f"over {MAX_RATIO:,}"
    return f"{count / reference:.3f}"


def row(name: str, count_result: CountResult) -> list[str]:
    """Return the table row of a count, in the columns HEADS."""
    count, total = count_result.median, count_result.total
    objects = f"no count {_failure(count_result)}"
    if count.objects is not None:
        weighted = "weighted " * count_result.instance.weighted
        suffix = f"; {total.objects:,} in all" if total and total.objects is not None else ""
        objects = f"{weighted}{count_result.noun}, {_exactness(count)}{suffix}"
    return [
        name,
        "" if count.objects is None else number_text(count.objects),
        objects,
        count.answer.run.solver,
        f"{sum(run.answer.run.usage.wall for run in count_result.runs):.2f}",
        count_result.verdict or "",
    ]


def failure_row(name: str, fault: str) -> list[str]:
    """Return the table row of an instance that could not be counted."""
    return [name, "", fault, "", "", ""]


def to_json(name: str, count_result: CountResult) -> dict[str, Any]:
    """Return a count as JSON data; `name` is the instance as the user named it."""
    count, reference = count_result.median, count_result.reference
    answer = count.answer
    verdicts: Sequence[Agreement | None] = [None] * len(count_result.runs)
    comparison = count_result.comparison
    # With a total, only the total was compared.
    if comparison and len(comparison.run_verdicts) == len(verdicts):
        verdicts = comparison.run_verdicts
    projection = "unchecked" if count_result.instance.path else "not needed"
    return {
        "instance": name,
        **_number_json(count.objects),
        "models": count.models,
        "symmetry": count_result.instance.header.symmetry or None,
        "total": count_result.total.to_json() if count_result.total else None,
        "notes": list(count_result.notes),
        "objects": count_result.noun,
        "exact": count.exact,
        "interval": count.interval,
        "epsilon": None if count.exact else count_result.accuracy.epsilon,
        "confidence": None if count.exact else 1 - count_result.accuracy.delta,
        "encoding": count_result.encoding,
        "projection": count_result.projection.validity if count_result.projection else projection,
        "verdict": count_result.verdict,
        "reference": _reference_json(reference) if reference else None,
        "reason": answer.reason,
        "limit": count_result.time_limit,
        "remedy": count_result.remedy,
        "counter_reason": count_result.counter_reason,
        "runs": [
            {
                **_number_json(run.objects),
                "interval": run.interval,
                "verdict": verdict,
                "command": list(run.answer.run.command),
                **run.answer.run.usage.to_json(),
            }
            for run, verdict in zip(count_result.runs, verdicts, strict=True)
        ],
        "counter": answer.run.solver,
        "runtime": answer.run.runtime,
        "skipped_runtimes": dict(answer.run.skipped_runtimes),
        "version": answer.run.version,
        **answer.run.usage.to_json(),
    }


def _reference_json(reference: ReferenceCount) -> dict[str, Any]:
    return {
        "name": reference.name,
        "source": reference.source,
        **_number_json(reference.objects),
        "exact": reference.exact,
        "interval": reference.interval,
        "reason": reference.reason,
    }


def _number_json(number: int | Fraction | None) -> dict[str, Any]:
    """Return the JSON entries of a count, or of a weighted count as fraction and decimal."""
    if not isinstance(number, Fraction):
        return {"count": number, "weighted": None}
    return {
        "count": None,
        "weighted": {"fraction": str(number), "decimal": _decimal(number)[0]},
    }


def number_text(number: int | Fraction) -> str:
    """Return a count with thousands separators, a weighted count as fraction and decimal number.

    >>> number_text(Fraction(1, 8))
    '1/8 = 0.125'
    """
    if not isinstance(number, Fraction):
        return f"{number:,}"
    if number.denominator == 1 and number < 10**DECIMAL_DIGITS:
        return f"{number.numerator:,}"
    fraction, (decimal, is_equal) = str(number), _decimal(number)
    if len(fraction) > MAX_FRACTION_LENGTH:
        return decimal if is_equal else f"{decimal} (rounded; --json has the fraction)"
    return f"{fraction} = {decimal}" if is_equal else f"{fraction}, about {decimal}"


def _decimal(number: Fraction) -> tuple[str, bool]:
    """Return the rounded decimal number, and True if it equals the fraction."""
    numerator, denominator = map(Decimal, number.as_integer_ratio())
    rounded = _CONTEXT.divide(numerator, denominator)
    return str(rounded.normalize(_CONTEXT)), Fraction(rounded) == number

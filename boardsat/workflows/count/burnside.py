"""Number of all solutions from the number of their orbits: Burnside's lemma.

A group of k symmetries has as many orbits as its elements leave solutions unchanged, on average.
The identity leaves all of them unchanged: all = k * orbits - those that the other elements leave.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from boardsat.adapters.command_clock import CommandLimitError
from boardsat.base.errors import WrongAnswerError
from boardsat.generators.formula import FixedClass
from boardsat.generators.symmetry.group import many
from boardsat.instance.formula_file import FormulaFile
from boardsat.instance.inputs import WorkflowInput, temporary_formula_file
from boardsat.workflows.count.counter_run import Count

MAX_LISTED_KINDS = 8
"""Kinds of symmetries up to which those that leave no solution unchanged are listed too."""


@dataclass(frozen=True)
class FixedCount:
    """Number of solutions that a symmetry leaves unchanged, and number of symmetries like it."""

    name: str
    elements: int
    number: int


@dataclass(frozen=True)
class BurnsideTotal:
    """Number of all solutions, computed from their orbits."""

    objects: int | None
    """Number of all solutions. None if it is not known."""
    fixed: tuple[FixedCount, ...]
    reason: str = ""
    """Reason why `objects` is None."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Header entry of the objects: their name, models of each, published count."""

    exact = True
    interval = None

    def to_json(self) -> dict[str, Any]:
        return {
            "count": self.objects,
            "reason": self.reason,
            "fixed": [vars(kind) for kind in self.fixed],
        }

    def text(self) -> str:
        if self.objects is None:
            return f"in all: not known ({self.reason})"
        kinds = _merged(self.fixed)
        listed = [kind for kind in kinds if kind.number or len(kinds) <= MAX_LISTED_KINDS]
        phrases = [_phrase(kind) for kind in listed]
        phrases += ["by the others none"] if len(listed) < len(kinds) else []
        unchanged = (
            "models unchanged" if self.about.get("models_per_solution", 1) > 1 else "unchanged"
        )
        return f"{self.objects:,} in all, by Burnside's lemma; {unchanged} {', '.join(phrases)}"


def _merged(fixed: Iterable[FixedCount]) -> list[FixedCount]:
    """Merge kinds of the same name and number, which a text cannot tell apart."""
    elements: Counter[tuple[str, int]] = Counter()
    for kind in fixed:
        elements[kind.name, kind.number] += kind.elements
    return [FixedCount(name, total, number) for (name, number), total in elements.items()]


def _phrase(kind: FixedCount) -> str:
    if kind.elements == 1:
        return f"by a {kind.name}: {kind.number:,}"
    return f"by {many(kind.name, kind.elements)}: {kind.number:,}{' each' if kind.number else ''}"


def burnside_total(
    source: WorkflowInput, orbits: Count, count: Callable[[FormulaFile], Count]
) -> BurnsideTotal | None:
    """Return the number of all solutions; None if the symmetries are not known, as of a file.

    A limit that is reached meanwhile does not discard the orbits, which are counted already.
    """
    try:
        kinds = source.fixed_classes()
        return _total(kinds, orbits, count) if kinds else None
    except CommandLimitError as limit:
        return BurnsideTotal(None, (), limit.fault)


def _total(
    kinds: list[FixedClass], orbits: Count, count: Callable[[FormulaFile], Count]
) -> BurnsideTotal:
    about = kinds[0].formula.header.objects or {}
    if not orbits.exact or orbits.models is None:
        return BurnsideTotal(None, (), "it takes an exact count", about)
    fixed: list[FixedCount] = []
    for kind in kinds:
        with temporary_formula_file(kind.formula) as problem:
            unchanged = count(problem)
        if unchanged.models is None:
            reason = f"unchanged by a {kind.name}: {unchanged.answer.reason or 'no count'}"
            return BurnsideTotal(None, tuple(fixed), reason, about)
        fixed.append(FixedCount(kind.name, kind.elements, unchanged.models))
    group_order = 1 + sum(kind.elements for kind in kinds)
    models = group_order * orbits.models - sum(kind.elements * kind.number for kind in fixed)
    objects, remainder = divmod(models, about.get("models_per_solution", 1))
    if remainder or any(kind.number > models for kind in fixed):
        solver = orbits.answer.run.solver
        raise WrongAnswerError(
            f"WRONG COUNT from {solver}: {orbits.models:,} classes do not go with "
            f"what symmetries leave unchanged: {', '.join(map(_phrase, _merged(fixed)))}",
            "count with another counter: this one, or the encoding, has a bug",
        )
    return BurnsideTotal(objects, tuple(fixed), about=about)

"""The number of all solutions from that of their classes: Burnside's lemma.

A group of k symmetries has as many classes as its elements leave solutions unchanged, on average.
The one that does nothing leaves all of them: all = k * classes - those that the others leave.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from boardsat.base.errors import WrongAnswerError
from boardsat.clock import CommandLimitError
from boardsat.generators.formula import FixedClass
from boardsat.generators.symmetry.group import many
from boardsat.instance.formula_file import FormulaFile
from boardsat.instance.inputs import WorkflowInput, temporary_formula_file
from boardsat.workflows.count.counter_run import Count

FEW = 8
"""Kinds of symmetries that are told one by one."""


@dataclass(frozen=True)
class FixedCount:
    """How many solutions a symmetry leaves unchanged, and how many symmetries are like it."""

    name: str
    elements: int
    number: int


@dataclass(frozen=True)
class Whole:
    """The number of all, where it is known."""

    objects: int | None
    fixed: tuple[FixedCount, ...]
    reason: str = ""
    """Why it is not known."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What they are, how many models stand for one, and how many are known to be."""

    exact = True
    interval = None

    def described(self) -> dict[str, Any]:
        return {
            "count": self.objects,
            "reason": self.reason,
            "fixed": [vars(each) for each in self.fixed],
        }

    def text(self) -> str:
        if self.objects is None:
            return f"in all: not known ({self.reason})"
        kinds = _joined(self.fixed)
        told = [each for each in kinds if each.number or len(kinds) <= FEW]
        words = [_words(each) for each in told]
        words += ["by the others none"] if len(told) < len(kinds) else []
        what = "models unchanged" if self.about.get("models_each", 1) > 1 else "unchanged"
        return f"{self.objects:,} in all, by Burnside's lemma; {what} {', '.join(words)}"


def _joined(fixed: Iterable[FixedCount]) -> list[FixedCount]:
    """As one, those of one name that leave as many unchanged: words do not tell them apart."""
    elements: Counter[tuple[str, int]] = Counter()
    for each in fixed:
        elements[each.name, each.number] += each.elements
    return [FixedCount(name, together, number) for (name, number), together in elements.items()]


def _words(each: FixedCount) -> str:
    if each.elements == 1:
        return f"by a {each.name}: {each.number:,}"
    return f"by {many(each.name, each.elements)}: {each.number:,}{' each' if each.number else ''}"


def whole_of(
    source: WorkflowInput, classes: Count, count: Callable[[FormulaFile], Count]
) -> Whole | None:
    """The number of all; None where nobody knows what the symmetries are, as of a file.

    A limit that falls meanwhile does not take the classes away, which are counted already.
    """
    try:
        kinds = source.fixed_classes()
        return _whole(kinds, classes, count) if kinds else None
    except CommandLimitError as limit:
        return Whole(None, (), limit.fault)


def _whole(kinds: list[FixedClass], classes: Count, count: Callable[[FormulaFile], Count]) -> Whole:
    about = kinds[0].formula.header.objects or {}
    if not classes.exact or classes.models is None:
        return Whole(None, (), "it takes an exact count", about)
    fixed: list[FixedCount] = []
    for kind in kinds:
        with temporary_formula_file(kind.formula) as problem:
            found = count(problem)
        if found.models is None:
            reason = found.answer.reason or "no count"
            return Whole(None, tuple(fixed), f"unchanged by a {kind.name}: {reason}", about)
        fixed.append(FixedCount(kind.name, kind.elements, found.models))
    elements = 1 + sum(kind.elements for kind in kinds)
    models = elements * classes.models - sum(kind.elements * kind.number for kind in fixed)
    objects, left = divmod(models, about.get("models_each", 1))
    if left or any(kind.number > models for kind in fixed):
        raise WrongAnswerError(
            f"WRONG COUNT from {classes.answer.solver}: {classes.models:,} classes do not go with "
            f"what symmetries leave unchanged: {', '.join(map(_words, _joined(fixed)))}",
            "count with another counter: this one, or the encoding, has a bug",
        )
    return Whole(objects, tuple(fixed), about=about)

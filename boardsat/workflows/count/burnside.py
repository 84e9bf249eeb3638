"""Number of all solutions from the number of their orbits, by Burnside's lemma.

The number of orbits is the average number of fixed points of the k elements of the group. The
identity fixes all solutions, so: solutions = k * orbits - fixed points of the other elements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any

from boardsat.adapters.command_clock import CommandLimitError
from boardsat.base.dataclass import dataclass
from boardsat.base.errors import WrongAnswerError
from boardsat.generators.formula import FixedClass
from boardsat.generators.transforms.symmetry import many
from boardsat.instance.formula_file import FormulaFile
from boardsat.instance.inputs import WorkflowInput, temporary_formula_file
from boardsat.workflows.count.counter_run import Count

MAX_LISTED_KINDS = 8
"""Number of conjugacy classes above which those without fixed points are not listed."""


@dataclass(frozen=True)
class FixedCount:
    """Fixed points of each element in a conjugacy class of the symmetry group."""

    name: str
    """Name of the symmetry, such as ``"half turn"``."""
    elements: int
    """Number of elements in the class."""
    number: int
    """Number of models that each element leaves unchanged."""


@dataclass(frozen=True)
class BurnsideTotal:
    """Number of all solutions, computed from the number of their orbits."""

    objects: int | None
    """Number of all solutions. None if it is not known."""
    fixed: tuple[FixedCount, ...]
    reason: str = ""
    """Reason why `objects` is None."""
    object_header: Mapping[str, Any] = field(default_factory=dict)
    """Header entry of the objects: their name, models per solution, published count."""

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
            return f"in all: unknown ({self.reason})"
        kinds = _merge_classes(self.fixed)
        listed = [kind for kind in kinds if kind.number or len(kinds) <= MAX_LISTED_KINDS]
        phrases = [_phrase(kind) for kind in listed]
        phrases += ["by the others: 0"] if len(listed) < len(kinds) else []
        multiplicity = self.object_header.get("models_per_solution", 1)
        unchanged = "models unchanged" if multiplicity > 1 else "unchanged"
        return f"{self.objects:,} in all, by Burnside's lemma; {unchanged} {', '.join(phrases)}"


def _merge_classes(fixed: Iterable[FixedCount]) -> list[FixedCount]:
    """Merge classes of equal name and number, which a text cannot distinguish."""
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
    """Return the number of all solutions; None if the symmetries are unknown, as for a file.

    If a limit is reached, the total has a reason instead of a number.
    """
    try:
        kinds = source.fixed_classes()
        return _total(kinds, orbits, count) if kinds else None
    except CommandLimitError as limit:
        return BurnsideTotal(None, (), limit.fault)


def _total(
    kinds: list[FixedClass], orbits: Count, count: Callable[[FormulaFile], Count]
) -> BurnsideTotal:
    header = kinds[0].formula.header.objects or {}
    if not orbits.exact or orbits.models is None:
        return BurnsideTotal(None, (), "it requires an exact count", header)
    fixed: list[FixedCount] = []
    for kind in kinds:
        with temporary_formula_file(kind.formula) as formula_file:
            unchanged = count(formula_file)
        if unchanged.models is None:
            reason = f"unchanged by a {kind.name}: {unchanged.answer.reason or 'no count'}"
            return BurnsideTotal(None, tuple(fixed), reason, header)
        fixed.append(FixedCount(kind.name, kind.elements, unchanged.models))
    group_order = 1 + sum(kind.elements for kind in kinds)
    models = group_order * orbits.models - sum(kind.elements * kind.number for kind in fixed)
    objects, remainder = divmod(models, header.get("models_per_solution", 1))
    if remainder or any(kind.number > models for kind in fixed):
        solver = orbits.answer.run.solver
        fixed_points = ", ".join(map(_phrase, _merge_classes(fixed)))
        raise WrongAnswerError(
            f"WRONG COUNT from {solver}: {orbits.models:,} orbits contradict the numbers of "
            f"models that symmetries leave unchanged: {fixed_points}",
            "compare with another --counter; this one or the encoding is wrong",
        )
    return BurnsideTotal(objects, tuple(fixed), object_header=header)

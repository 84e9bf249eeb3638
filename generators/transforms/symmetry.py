"""Breaks the symmetries of the board: of every class of solutions exactly one is left.

It comes before all other transforms, while the clauses still are those of the spec.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from boardsat.base.errors import InputError
from boardsat.generators.clauses.chunks import Chunk
from boardsat.generators.formula import Counter, FixedClass, Formula, Section
from boardsat.generators.limits import WorkBudget
from boardsat.generators.symmetry.breaking import no_smaller, unchanged
from boardsat.generators.symmetry.group import (
    PROMISE,
    PROOF,
    Symmetry,
    SymmetryGroup,
    group_of,
    many,
)

_KNOWN = {PROOF: "proved by the constraints", PROMISE: "promised by the spec"}

NAME = "the first solution of its class"


def symmetry(formula: Formula) -> Formula:
    if formula.weights is not None:
        fault = "weights of literals may differ within a class of solutions"
        raise InputError(fault, "leave it out", "--symmetry")
    group = group_of(formula)
    counter = Counter(formula.variables + 1, WorkBudget())
    section = counter.section(NAME, "--symmetry", lambda first: _broken(group, first))
    note = {
        "transform": "symmetry",
        "elements": len(group.elements),
        "says": f"{group.words} broken ({_listed(group.names)}), {_KNOWN[group.by]}: "
        "one solution of every class is left",
    }
    header = replace(
        formula.header,
        objects=_classes(formula.header.objects, group),
        transforms=(*formula.header.transforms, note),
    )
    return replace(
        formula,
        header=header,
        variables=counter.first - 1,
        sections=(*formula.sections, section),
        fixed=lambda: _fixed(formula, group),
    )


def _broken(group: SymmetryGroup, first: int) -> Iterator[Chunk]:
    for element in group.others:
        rows = no_smaller(group.decided, element.permutation, first)
        first += rows.fresh
        yield rows


def _listed(names: dict[str, int]) -> str:
    return ", ".join(many(name, number) for name, number in names.items())


def _classes(objects: dict[str, Any] | None, group: SymmetryGroup) -> dict[str, Any] | None:
    """What is counted now; what is published is of all."""
    if objects is None:
        return None
    return {"name": f"classes of {objects['name']} under {group.words}", "models_each": 1}


def _fixed(formula: Formula, group: SymmetryGroup) -> list[FixedClass]:
    """For every class of symmetries the solutions that one of them leaves unchanged."""
    return [
        FixedClass(first.name, 1 + len(others), _unchanged(formula, group, first))
        for first, *others in group.classes
    ]


def _unchanged(formula: Formula, group: SymmetryGroup, element: Symmetry) -> Formula:
    rows = unchanged(group.decided, element.permutation)
    sizes = (0, rows.clauses, rows.units, rows.literals)
    section = Section(f"unchanged by a {element.name}", *sizes, lambda: iter([rows]))
    return replace(formula, sections=(*formula.sections, section))

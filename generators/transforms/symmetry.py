"""Symmetry breaking: of every orbit of solutions under the board's symmetry group, one is left.

Solutions are compared lexicographically, false before true. If no symmetry maps a solution to a
smaller one, it is the lex-leader of its orbit. This transform comes before all others, while the
clauses are still those of the spec.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from boardsat.base.errors import InputError
from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.blocks import Chunk, Rows
from boardsat.generators.clauses.patterns import columns, stack
from boardsat.generators.formula import ClauseCounter, FixedClass, Formula
from boardsat.generators.symmetry.group import (
    PROMISE,
    PROOF,
    Symmetry,
    SymmetryGroup,
    group_of,
    many,
)

_KNOWN = {PROOF: "proved by the constraints", PROMISE: "declared by the spec"}

NAME = "the least solution of each orbit"


def transform(formula: Formula) -> Formula:
    if formula.weights is not None:
        fault = "weights of literals may differ within an orbit of solutions"
        raise InputError(fault, "leave it out", "--break-symmetry")
    group = group_of(formula)
    counter = ClauseCounter(formula.variables + 1)
    section = counter.encoded(NAME, "--break-symmetry", lambda first: _lex_leader(group, first))
    note = {
        "transform": "symmetry",
        "elements": len(group.elements),
        "description": f"{group.words} broken ({_listed(group.names)}), {_KNOWN[group.by]}: "
        "one solution of each orbit is kept",
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
        fixed_point_formulas=lambda: _fixed_classes(formula, group),
    )


def _lex_leader(group: SymmetryGroup, first: int) -> Iterator[Chunk]:
    for element in group.others:
        rows = _no_smaller(group.decided, element.permutation, first)
        first += rows.num_auxiliary
        yield rows


def _listed(names: dict[str, int]) -> str:
    return ", ".join(many(name, number) for name, number in names.items())


def _classes(objects: dict[str, Any] | None, group: SymmetryGroup) -> dict[str, Any] | None:
    """Return the `objects` of the header: orbits, which have no published count."""
    if objects is None:
        return None
    return {"name": f"orbits of {objects['name']} under {group.words}", "models_per_solution": 1}


def _fixed_classes(formula: Formula, group: SymmetryGroup) -> list[FixedClass]:
    """Return for every class of symmetries the formula of the fixed points of one of them."""
    return [
        FixedClass(first.name, 1 + len(others), _fixed_points(formula, group, first))
        for first, *others in group.classes
    ]


def _fixed_points(formula: Formula, group: SymmetryGroup, element: Symmetry) -> Formula:
    rows = _invariance(group.decided, element.permutation)
    counter = ClauseCounter(formula.variables + 1)
    section = counter.encoded(f"unchanged by a {element.name}", "", lambda _: iter([rows]))
    return replace(formula, sections=(*formula.sections, section))


def _no_smaller(decided: Ints, permutation: Tokens, first: int) -> Rows:
    """Return clauses that a solution is lexicographically at most its image.

    The auxiliary variable after each comparison is true if both are equal up to there. It is
    defined by an equivalence, so that models are preserved one by one.
    """
    x, y = _comparisons(decided, permutation)
    same = first + np.arange(max(len(x) - 1, 0))
    pieces = [stack(columns(-x[:1], y[:1])), stack(columns(-same, -x[1:], y[1:]))]
    before, after = same[:-1], same[1:]
    if len(same):
        begin = same[:1]
        pieces.append(stack(columns(-begin, x[:1], -y[:1])))
        pieces.append(stack(columns(begin, -x[:1]), columns(begin, y[:1])))
    here, there = x[1:-1], y[1:-1]
    pieces.append(stack(columns(-after, before), columns(-after, here, -there)))
    pieces.append(stack(columns(after, -before, -here), columns(after, -before, there)))
    return Rows(np.concatenate(pieces), len(same))


def _invariance(decided: Ints, permutation: Tokens) -> Rows:
    """Return clauses that a solution is its own image: along a cycle each implies the next."""
    moved = decided[permutation[decided] != decided]
    return Rows(stack(columns(-moved, permutation[moved])))


def _comparisons(decided: Ints, permutation: Tokens) -> tuple[Ints, Ints]:
    """Return variables and their images, but for the last of each cycle: the others imply it."""
    position = np.zeros(int(decided.max(initial=0)) + 1, np.int64)
    position[decided] = np.arange(len(decided))
    following = position[permutation[decided]]
    last = np.arange(len(decided))
    while not np.array_equal(last, last[following]):
        last = np.maximum(last, last[following])
    kept = np.flatnonzero(last != np.arange(len(decided)))
    return decided[kept], decided[following[kept]]

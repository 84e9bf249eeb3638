"""KNF, the format of Cardinality-CDCL: clauses as in CNF, and cardinality constraints.

`k 2 1 -3 4 0` states that at least 2 of the literals 1, -3 and 4 are true. Other linear constraints
are encoded as clauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.base.compression import Buffer
    from boardsat.generators.blocks import LinearConstraints
    from boardsat.generators.formula import Formula

NATIVE_CONSTRAINTS, HAS_OBJECTIVE, HAS_PROJECTION = "cardinality", False, False


def num_extra_variables(formula: Formula) -> int:
    """Return 0: a file has the variables of the formula."""
    return 0


def document(formula: Formula, projection: str | None = None) -> Iterator[Buffer]:
    """Yield the file in pieces."""
    from boardsat.generators.dimacs import document

    yield (document.comments(formula) + document.projection_lines(formula)).encode("ascii")
    lines = formula.clauses + sum(len(bounds) for bounds, _ in _lower_bounds(formula))
    yield f"p knf {formula.variables} {lines}\n".encode("ascii")
    yield from document.clauses(formula)
    for bounds, groups in _lower_bounds(formula):
        yield "".join(map(_line, bounds, groups)).encode("ascii")


def _line(bound: int, literals: list[int]) -> str:
    """Return the line of "at least `bound` of the literals": a clause if the bound is 1.

    A bound that exceeds the number of literals gives the empty clause.
    """
    if bound > len(literals):
        return "0\n"
    text = " ".join(map(str, literals))
    return f"{text} 0\n" if bound == 1 else f"k {bound} {text} 0\n"


def _lower_bounds(formula: Formula) -> Iterator[tuple[list[int], list[list[int]]]]:
    """Yield lists of "at least k of these literals are true": the bounds k, and the literals."""
    for section in formula.sections:
        for constraints in section.linear() if section.linear else ():
            yield from _lower_bounds_of(constraints)


def _lower_bounds_of(c: LinearConstraints) -> Iterator[tuple[list[int], list[list[int]]]]:
    """Yield the lower bounds, then the upper bounds as lower bounds on the negated literals."""
    starts = c.starts.tolist()
    cases = ((c.low, c.literals.tolist()), (c.total_weights - c.high, (-c.literals).tolist()))
    for bounds, literals in cases:
        rows = (bounds > 0).nonzero()[0].tolist()
        groups = [literals[starts[row] : starts[row + 1]] for row in rows]
        yield bounds[rows].tolist(), groups

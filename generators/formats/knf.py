"""KNF of Cardinality-CDCL: clauses as in CNF, and `k 2 1 -3 4 0` for at least 2 of the literals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.base.compression import Buffer
    from boardsat.generators.clauses.blocks import LinearConstraints
    from boardsat.generators.formula import Formula

NATIVE_CONSTRAINTS, HAS_OBJECTIVE, HAS_PROJECTION = "counts", False, False


def fresh(formula: Formula) -> int:
    """None: sums that are no counts are encoded, as in CNF."""
    return 0


def document(formula: Formula, projection: str | None = None) -> Iterator[Buffer]:
    from boardsat.generators.dimacs import document

    yield (document.comments(formula) + document.projection_lines(formula)).encode("ascii")
    number = formula.clauses + sum(len(bounds) for bounds, _ in _all(formula))
    yield f"p knf {formula.variables} {number}\n".encode("ascii")
    yield from document.clauses(formula)
    for bounds, groups in _all(formula):
        yield "".join(map(_line, bounds, groups)).encode("ascii")


def _line(bound: int, literals: list[int]) -> str:
    """One true literal is a clause; and no more can be than there are."""
    if bound > len(literals):
        return "0\n"
    words = map(str, literals)
    return f"{' '.join(words)} 0\n" if bound == 1 else f"k {bound} {' '.join(words)} 0\n"


def _all(formula: Formula) -> Iterator[tuple[list[int], list[list[int]]]]:
    """Numbers, and the literals of which at least as many are true."""
    for section in formula.sections:
        for sums in section.sums() if section.sums else ():
            yield from _of(sums)


def _of(sums: LinearConstraints) -> Iterator[tuple[list[int], list[list[int]]]]:
    """At most so many is, of the negations, at least all the others."""
    starts, literals = sums.starts.tolist(), sums.literals.tolist()
    negated = (-sums.literals).tolist()
    for bounds, of in ((sums.low, literals), (sums.most - sums.high, negated)):
        rows = (bounds > 0).nonzero()[0].tolist()
        groups = [of[starts[row] : starts[row + 1]] for row in rows]
        yield bounds[rows].tolist(), groups

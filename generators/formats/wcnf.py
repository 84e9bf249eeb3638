"""WCNF as MaxSAT evaluations have it since 2022: `h` leads a hard clause, a weight a soft one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.base.compression import Buffer
    from boardsat.generators.formula import Formula

NATIVE_CONSTRAINTS, HAS_OBJECTIVE, HAS_PROJECTION = "", True, False

SOFT_LINES = 2**12
"""Soft clauses that are written at a time."""


def fresh(formula: Formula) -> int:
    """Variables that a file has beside those of the formula."""
    return 0


def document(formula: Formula, projection: str | None = None) -> Iterator[Buffer]:
    from boardsat.generators.dimacs import document

    soft = formula.objective.soft if formula.objective else None
    # No `p` line tells the variables, of which some may be in no clause, nor where the file ends.
    counts = {
        "variables": formula.variables,
        "clauses": formula.clauses + (len(soft.weights) if soft else 0),
    }
    yield document.comments(formula, **counts).encode("ascii")
    yield from _hard(document.clauses(formula))
    if soft is not None:
        yield from _soft(soft.each())


def _hard(pieces: Iterable[Buffer]) -> Iterator[bytes]:
    """Every line after an `h`; a piece may end inside a line."""
    begins = True
    for piece in filter(len, pieces):
        text = bytes(piece)
        lines = (b"h " if begins else b"") + text.replace(b"\n", b"\nh ")
        begins = text.endswith(b"\n")
        yield lines[:-2] if begins else lines


def _soft(clauses: Iterable[tuple[int, list[int]]]) -> Iterator[bytes]:
    lines: list[str] = []
    for weight, literals in clauses:
        lines.append(" ".join(map(str, (weight, *literals, "0\n"))))
        if len(lines) == SOFT_LINES:
            yield "".join(lines).encode("ascii")
            lines = []
    yield "".join(lines).encode("ascii")

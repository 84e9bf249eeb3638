"""CNF, the DIMACS format of SAT solvers and model counters: clauses, and nothing to optimise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.base.compression import Buffer
    from boardsat.generators.formula import Formula

NATIVE_CONSTRAINTS, HAS_OBJECTIVE, HAS_PROJECTION = "", False, True


def fresh(formula: Formula) -> int:
    """Variables that a file has beside those of the formula."""
    return 0


def document(formula: Formula, projection: str | None = None) -> Iterator[Buffer]:
    from boardsat.generators.dimacs import document

    return document.document(formula, projection)

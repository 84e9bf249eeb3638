"""CNF, the DIMACS format of SAT solvers and model counters: clauses without an objective."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.base.compression import Buffer
    from boardsat.generators.formula import Formula

NATIVE_CONSTRAINTS, HAS_OBJECTIVE, HAS_PROJECTION = "", False, True


def num_extra_variables(formula: Formula) -> int:
    """Return 0: a file has the variables of the formula."""
    return 0


def document(formula: Formula, projection: str | None = None) -> Iterator[Buffer]:
    """Yield the file in pieces."""
    from boardsat.generators.dimacs import document

    return document.document(formula, projection)

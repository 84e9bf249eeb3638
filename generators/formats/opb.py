"""OPB of pseudo-Boolean competitions: sums stay what they are, and a clause is a sum of at least 1.

Only variables stand in it, never their negations, and only `>=` and `=`: all solvers read that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.base.compression import Buffer
    from boardsat.generators.formula import Formula

KEEPS, HAS_OBJECTIVE, HAS_PROJECTION = "sums", True, False


def fresh(formula: Formula) -> int:
    """A variable for every soft clause that is not a literal."""
    soft = formula.objective.soft if formula.objective else None
    return sum(len(literals) > 1 for _, literals in soft.each()) if soft else 0


def document(formula: Formula, projection: str | None = None) -> Iterator[Buffer]:
    from boardsat.generators.dimacs import document
    from boardsat.generators.formats._linear_lines import LinearLines

    lines = LinearLines(formula)
    counts = lines.counts()
    yield (
        f"* #variable= {counts.variables} #constraint= {counts.constraints} "
        f"#equal= {counts.equal} intsize= {counts.bits}\n"
    ).encode("ascii")
    comments = document.comments(lines.told(), variables=counts.variables)
    yield "".join(f"*{line[1:]}\n" for line in comments.splitlines()).encode("ascii")
    yield from lines.objective()
    yield from lines.constraints()

"""WCNF, the format of MaxSAT evaluations since 2022.

A line is `h` and a hard clause, or a weight and a soft clause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.base.compression import Buffer
    from boardsat.generators.formula import Formula

NATIVE_CONSTRAINTS, HAS_OBJECTIVE, HAS_PROJECTION = "", True, False

LINES_PER_PIECE = 2**12  # soft clauses


def num_extra_variables(formula: Formula) -> int:
    """Return 0: a file has the variables of the formula."""
    return 0


def document(formula: Formula, projection: str | None = None) -> Iterator[Buffer]:
    """Yield the file in pieces."""
    from boardsat.generators.dimacs import document

    soft = formula.objective.soft if formula.objective else None
    # WCNF has no `p` line: a reader learns the number of variables, and that the file is complete,
    # from the comments.
    counts = {
        "variables": formula.variables,
        "clauses": formula.clauses + (len(soft.weights) if soft else 0),
    }
    yield document.comments(formula, **counts).encode("ascii")
    yield from _hard_lines(document.clauses(formula))
    if soft is not None:
        yield from _soft_lines(soft.weighted_clauses())


def _hard_lines(pieces: Iterable[Buffer]) -> Iterator[bytes]:
    """Yield the text of clauses with `h ` before each line; a piece may end inside a line."""
    is_line_start = True
    for piece in filter(len, pieces):
        text = bytes(piece)
        lines = (b"h " if is_line_start else b"") + text.replace(b"\n", b"\nh ")
        is_line_start = text.endswith(b"\n")
        yield lines[:-2] if is_line_start else lines


def _soft_lines(clauses: Iterable[tuple[int, list[int]]]) -> Iterator[bytes]:
    """Yield the lines of soft clauses: a weight, then the literals."""
    lines: list[str] = []
    for weight, literals in clauses:
        lines.append(" ".join(map(str, (weight, *literals, "0\n"))))
        if len(lines) == LINES_PER_PIECE:
            yield "".join(lines).encode("ascii")
            lines = []
    yield "".join(lines).encode("ascii")

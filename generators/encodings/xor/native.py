"""Native: the sum as one `x` line, which CryptoMiniSat alone reads. No clauses, nothing is cut.

A sum that need not hold always gets a fresh variable, equivalent to it, and one clause.
"""

from __future__ import annotations

from boardsat.generators.arrays import Ints, Tokens, stack

COUNT_PRESERVING = True

LINES = True
"""What `clauses` gives is no clause but a line: an odd number of its literals is true."""


def tokens(n: int, low: int, high: int) -> int:
    return n + 1


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    return stack(x[None, :]), 0

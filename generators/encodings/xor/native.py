"""Native: the whole constraint as one `x` line, a format that only CryptoMiniSat reads.

A constraint with a condition (`when`) gets an auxiliary variable that is equivalent to it, and one
clause.
"""

from __future__ import annotations

from boardsat.generators.arrays import Ints, Tokens, stack

COUNT_PRESERVING = True

LINES = True


def tokens(n: int, low: int, high: int) -> int:
    return n + 1


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    return stack(x[None, :]), 0

"""Native: the whole constraint as one `x` line, a format that only CryptoMiniSat reads.

A constraint with a condition (`when`) has an auxiliary variable: the `x` line states that it is the
parity of the literals, and a clause states that it is true if the condition is.
"""

from __future__ import annotations

from boardsat.generators.arrays import Ints, Tokens, stack

COUNT_PRESERVING = True

LINES = True


def tokens(n: int, low: int, high: int) -> int:
    return n + 1


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    return stack(x[None, :]), 0

"""Direct: a clause for every choice of truth values with the wrong parity. No fresh variables.

2^(n-1) clauses of n literals, for short ones.
"""

from __future__ import annotations

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.encodings.xor._equations import odd, tokens_of

KEEPS_COUNTS = True

HUGE = 2**62
"""Stands for all numbers beyond it."""


def tokens(n: int, low: int, high: int) -> int:
    return tokens_of(n) if n < 50 else HUGE


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    return odd(x[None, :]), 0

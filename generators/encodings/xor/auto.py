"""Chosen by size: direct up to seven literals, a chain for more.

Both keep counts. The header tells the choice.
"""

from __future__ import annotations

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.encodings.xor import chain, direct

KEEPS_COUNTS = True

SHORT = 7
"""Up to so many literals, 64 clauses, none of them needs fresh variables."""

_BY_SIZE = {"direct": direct, "chain": chain}


def choose(n: int, low: int, high: int) -> str:
    """The name of the encoding that is taken for so many literals."""
    return "direct" if n <= SHORT else "chain"


def tokens(n: int, low: int, high: int) -> int:
    about: int = _BY_SIZE[choose(n, low, high)].tokens(n, low, high)
    return about


def clauses(x: Ints, fresh: int) -> tuple[Tokens, int]:
    made: tuple[Tokens, int] = _BY_SIZE[choose(len(x), 1, 1)].clauses(x, fresh)
    return made

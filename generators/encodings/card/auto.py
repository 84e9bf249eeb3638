"""Chosen by size: binomial where that is small, else whichever takes the fewest literals, about.

Only encodings that keep counts are chosen from, so it keeps them too. The header tells the choice.
"""

from __future__ import annotations

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.encodings.card import binomial, counter, totalizer

KEEPS_COUNTS = True

SMALL = 2**12
"""Up to so many literals and clauses, none of them needs fresh variables: exactly 2 of 18."""

MORE = 4 / 3
"""A totalizer may take so many times the literals of a counter."""

_BY_SIZE = {"binomial": binomial, "counter": counter, "totalizer": totalizer}


def choose(n: int, low: int, high: int) -> str:
    """The name of the encoding that is taken for this bound."""
    if binomial.tokens(n, low, high) <= SMALL:
        return "binomial"
    sizes = {name: each.tokens(n, low, high) for name, each in _BY_SIZE.items()}
    # It has far fewer variables than a counter of so many literals, and is refuted sooner.
    if MORE * sizes["counter"] >= sizes["totalizer"] <= sizes["binomial"]:
        return "totalizer"
    return min(sizes, key=sizes.__getitem__)


def tokens(n: int, low: int, high: int) -> int:
    about: int = _BY_SIZE[choose(n, low, high)].tokens(n, low, high)
    return about


def clauses(x: Ints, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    made: tuple[Tokens, int] = _BY_SIZE[choose(len(x), low, high)].clauses(x, low, high, fresh)
    return made

"""Chosen by size: the smaller of `gte` and `bdd`, or `adder` where both are far larger than it.

All of them keep counts, so it does too. The header tells the choice.
"""

from __future__ import annotations

from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.encodings import Weights
from boardsat.generators.encodings.pb import adder, bdd, gte

KEEPS_COUNTS = True

SMALL, LARGE = 2**13, 2**18
"""Up to so many tokens nothing is too large, and beyond so many all but an adder is."""

MORE = 16
"""What propagates well may take so many times the tokens of an adder."""

_BY_SIZE = {"adder": adder, "bdd": bdd, "gte": gte}


def choose(weights: Weights, low: int, high: int) -> str:
    """The name of the encoding that is taken for this sum."""
    enough = max(SMALL, min(LARGE, MORE * adder.tokens(weights, low, high)))
    sizes = {name: _BY_SIZE[name].tokens(weights, low, high, enough) for name in ("bdd", "gte")}
    least = min(sizes, key=sizes.__getitem__)
    return least if sizes[least] <= enough else "adder"


def tokens(weights: Weights, low: int, high: int) -> int:
    about: int = _BY_SIZE[choose(weights, low, high)].tokens(weights, low, high)
    return about


def clauses(x: Ints, weights: Weights, low: int, high: int, fresh: int) -> tuple[Tokens, int]:
    taken = _BY_SIZE[choose(weights, low, high)]
    made: tuple[Tokens, int] = taken.clauses(x, weights, low, high, fresh)
    return made

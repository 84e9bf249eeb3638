"""Selection by size: the smaller of `gte` and `bdd`, or `adder` if both are far larger.

All of them are count-preserving. The header records the selection.
"""

from __future__ import annotations

from boardsat.generators.encodings import Weights
from boardsat.generators.encodings.pb import adder, bdd, gte

COUNT_PRESERVING = True

SMALL_TOKENS, LARGE_TOKENS = 2**13, 2**18
"""Sizes up to which `gte` and `bdd` are never, and from which they are always too large."""

ADDER_FACTOR = 16
"""Tokens, relative to an adder, up to which an encoding that propagates better is preferred."""


def choose(weights: Weights, low: int, high: int) -> str:
    """Return the name of the encoding of a linear constraint."""
    limit = ADDER_FACTOR * adder.tokens(weights, low, high)
    limit = max(SMALL_TOKENS, min(LARGE_TOKENS, limit))
    sizes = {
        "bdd": bdd.tokens(weights, low, high, limit),
        "gte": gte.tokens(weights, low, high, limit),
    }
    smallest = min(sizes, key=sizes.__getitem__)
    return smallest if sizes[smallest] <= limit else "adder"

"""Selection by size: the smaller of `gte` and `bdd`, or `adder` if both are far larger.

All of them are count-preserving. The header records the selection.
"""

from __future__ import annotations

from boardsat.generators import encodings
from boardsat.generators.encodings import Weights

COUNT_PRESERVING = True

SMALL_TOKENS, LARGE_TOKENS = 2**13, 2**18
"""Range of the limit on the number of tokens above which `gte` and `bdd` are not selected."""

ADDER_FACTOR = 16
"""Limit relative to an adder: `gte` and `bdd` may be larger, because they propagate better."""


def choose(weights: Weights, low: int, high: int) -> str:
    """Return the name of the encoding of a linear constraint."""
    limit = ADDER_FACTOR * encodings.load("pb", "adder").tokens(weights, low, high)
    limit = max(SMALL_TOKENS, min(LARGE_TOKENS, limit))
    sizes = {
        name: encodings.load("pb", name).tokens(weights, low, high, limit)
        for name in ("bdd", "gte")
    }
    smallest = min(sizes, key=sizes.__getitem__)
    return smallest if sizes[smallest] <= limit else "adder"

"""Selection by size: binomial if that is small, else the one with about the fewest literals.

All of them are count-preserving. The header records the selection.
"""

from __future__ import annotations

from boardsat.generators import encodings

COUNT_PRESERVING = True

MAX_BINOMIAL_TOKENS = 2**12
"""Number of tokens up to which `binomial` is selected, such as for exactly 2 of 18."""

TOTALIZER_FACTOR = 4 / 3
"""Size of a totalizer, relative to a counter, up to which the totalizer is preferred."""


def choose(n: int, low: int, high: int) -> str:
    """Return the name of the encoding of a cardinality constraint."""
    names = ("binomial", "counter", "totalizer")
    sizes = {name: encodings.load("card", name).tokens(n, low, high) for name in names}
    if sizes["binomial"] <= MAX_BINOMIAL_TOKENS:
        return "binomial"
    # A totalizer has far fewer variables than a counter of its size, and is refuted sooner.
    if TOTALIZER_FACTOR * sizes["counter"] >= sizes["totalizer"] <= sizes["binomial"]:
        return "totalizer"
    return min(sizes, key=sizes.__getitem__)

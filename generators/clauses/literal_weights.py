"""Weights of literals, for counting: exact fractions, and how competitions write them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd
from typing import NamedTuple

import numpy as np

from boardsat.generators.arrays import Ints, Tokens

LONGEST_DECIMAL = 18
"""Digits after the point; what takes more is written as a fraction."""


class WeightedLiterals(NamedTuple):
    """Both literals of every variable that has weights; all others have 1."""

    literals: Tokens
    above: Ints
    below: Ints
    """Numerators, from 0 on, and denominators, from 1 on."""

    def renamed(self, literals: Tokens) -> WeightedLiterals:
        """Return the weights of renamed literals, given by a table with negative indices."""
        return self._replace(literals=literals[self.literals])

    def lines(self) -> Iterator[str]:
        """Yield the lines of a file, in the order of the variables."""
        order = np.lexsort((-self.literals, np.abs(self.literals)))
        columns = (self.literals, self.above, self.below)
        texts: dict[tuple[int, int], str] = {}
        for literal, *weight in zip(*(column[order].tolist() for column in columns), strict=True):
            key = (weight[0], weight[1])
            if key not in texts:
                texts[key] = _text(*key)
            yield f"c p weight {literal} {texts[key]} 0"


def joined_weights(pieces: Sequence[WeightedLiterals]) -> WeightedLiterals:
    """Return the weights of several pieces as one."""
    return WeightedLiterals(
        np.concatenate([piece.literals for piece in pieces]),
        np.concatenate([piece.above for piece in pieces]),
        np.concatenate([piece.below for piece in pieces]),
    )


def _text(above: int, below: int) -> str:
    """Return a decimal if it is exact, as some counters do not read fractions."""
    common = gcd(above, below)
    above, below = above // common, below // common
    for digits in range(LONGEST_DECIMAL + 1):
        scaled, rest = divmod(above * 10**digits, below)
        if not rest:
            padded = str(scaled).zfill(digits + 1)
            return f"{padded[:-digits]}.{padded[-digits:]}" if digits else padded
    return f"{above}/{below}"

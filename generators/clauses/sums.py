"""Sums of literals, row by row, with the numbers between which each must lie: not encoded yet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boardsat.generators.arrays import Bools, Ints, Tokens


@dataclass(frozen=True)
class Sums:
    """The literals of every row side by side, without any that is known to be true or false.

    A format that has sums of its own can write them as they are; CNF needs an encoding.
    """

    literals: Tokens
    starts: Ints
    low: Ints
    high: Ints
    """Above the sum of all where there is no upper bound; a row is impossible where low is more."""
    weights: Ints | None = None
    """Of every literal, all positive; None: each counts one."""
    heads: Bools | None = None
    """Which literals imply no other: each that is not a head implies the one before it."""

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

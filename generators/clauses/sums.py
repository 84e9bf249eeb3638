"""Sums of literals, row by row, with the numbers between which each must lie: not encoded yet."""

from __future__ import annotations

from dataclasses import dataclass, replace

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

    @property
    def most(self) -> Ints:
        """What all literals of a row count together."""
        if self.weights is None:
            return self.sizes
        return np.diff(np.concatenate([[0], np.cumsum(self.weights)])[self.starts])

    @property
    def demand(self) -> Bools:
        """Which rows do not hold whatever is true."""
        some: Bools = (self.low > 0) | (self.high < self.most)
        return some

    @property
    def are_counts(self) -> bool:
        """Whether every literal counts one, and no variable stands twice in a row."""
        if self.weights is not None and (self.weights != 1).any():
            return False
        rows = np.repeat(np.arange(len(self.low)), self.sizes)
        order = np.lexsort((np.abs(self.literals), rows))
        same = np.diff(np.abs(self.literals)[order]) == 0
        return not bool((same & (np.diff(rows[order]) == 0)).any())

    def between(self, low: Ints | None, high: Ints | None) -> Sums:
        """The same between these numbers as well."""
        least = self.low if low is None else np.maximum(low, self.low)
        most = self.high if high is None else np.minimum(high, self.high)
        return replace(self, low=least, high=most)

"""Linear constraints: sums of weighted literals between two bounds, before their encoding."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boardsat.generators.arrays import Bools, Ints, Tokens


class LinearConstraints(NamedTuple):
    """Linear constraints, one for each row, with the literals of all rows side by side.

    No literal is constant. OPB and KNF write such constraints as they are; CNF needs an encoding.
    """

    literals: Tokens
    starts: Ints
    low: Ints
    high: Ints
    """Upper bounds: the sum of all weights if there is none; below `low` if unsatisfiable."""
    weights: Ints | None = None
    """Positive weights of the literals; None for cardinality constraints."""
    heads: Bools | None = None
    """False for each literal that implies the one before it; None if no implications are known."""

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    @property
    def most(self) -> Ints:
        """Sum of the weights of each row."""
        if self.weights is None:
            return self.sizes
        return np.diff(np.concatenate([[0], np.cumsum(self.weights)])[self.starts])

    @property
    def demand(self) -> Bools:
        """True for the rows that some assignment violates."""
        falsifiable: Bools = (self.low > 0) | (self.high < self.most)
        return falsifiable

    @property
    def are_counts(self) -> bool:
        """True if all weights are 1, and no variable occurs twice in a row."""
        if self.weights is not None and (self.weights != 1).any():
            return False
        rows = np.repeat(np.arange(len(self.low)), self.sizes)
        order = np.lexsort((np.abs(self.literals), rows))
        is_repeated = np.diff(np.abs(self.literals)[order]) == 0
        return not bool((is_repeated & (np.diff(rows[order]) == 0)).any())

    def between(self, low: Ints | None, high: Ints | None) -> LinearConstraints:
        """Return the constraints with these bounds too."""
        low = self.low if low is None else np.maximum(low, self.low)
        high = self.high if high is None else np.minimum(high, self.high)
        return self._replace(low=low, high=high)

"""Whether rounds of cuts get anywhere: told by how many parts are left, and how long the cuts are.

A cut of k edges excludes about one in 2^k sets of cycles. Where there are exponentially many of
them, as in flower snarks, long cuts exclude them one by one. Then the number of parts stays.

Workers use this file too, so it does without all that takes long to import.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from boardsat.adapters.lazy_cuts.choosing import Clause
from boardsat.adapters.lazy_cuts.finding import EdgeGraph, LazyGraph

NO_ROUNDS, NO_PROGRESS = "no rounds left", "no progress"
"""Why cuts are given up."""

LONG = 32
"""Edges from which on a cut excludes nearly nothing but the model that it is from."""

FUTILE = 30
"""Rounds in a row with long cuts alone, and no fewer parts: random cubic graphs take up to ten."""

PATIENCE = 100
"""Rounds without fewer parts, however short the cuts: planted cuts have taken up to seventy."""


class CutProgress:
    """The rounds so far, one after the other."""

    def __init__(self, graphs: Sequence[LazyGraph]) -> None:
        # Cuts of what is chosen are several for every part, and are long in any case.
        self.tells = all(isinstance(graph, EdgeGraph) for graph in graphs)
        self.fewest: int | None = None
        self.futile = self.waiting = 0

    def is_none(self, cuts: Collection[Clause]) -> bool:
        """Whether it is better to give up after these cuts."""
        if self.fewest is None or len(cuts) < self.fewest:
            self.fewest, self.futile, self.waiting = len(cuts), 0, 0
            return False
        self.waiting += 1
        self.futile = self.futile + 1 if min(map(len, cuts)) >= LONG else 0
        return self.tells and (self.futile >= FUTILE or self.waiting >= PATIENCE)

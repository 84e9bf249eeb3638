"""The time limit of one count, shared by trials, projection, count and referee."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from boardsat.adapters.runtimes import MOMENT, Limits

WHOLE = 120.0
"""Seconds for all of it where nobody names a counter or a limit, so that it ends."""

TRIALS = 24.0
"""Seconds for all trials of exact counters together; of a limit that is given, half at most."""

PROJECTION = 60.0
"""Seconds for the question whether a projection is right; of a limit, a quarter of what is left."""

MEMORY = 2**31
"""Bytes for a trial: what fills the memory of the machine is not quick."""


@dataclass
class CountClock:
    """Begins to run when it is made. All is wall time, so that the machine may be busy."""

    limits: Limits
    begun: float = field(default_factory=time.monotonic)
    spent_on_trials: float = 0

    def left(self) -> Limits:
        limits = self.limits
        if limits.wall is None:
            return limits
        return replace(limits, wall=max(limits.wall - (time.monotonic() - self.begun), MOMENT))

    @property
    def is_over(self) -> bool:
        return self.left().wall == MOMENT

    def for_projection(self) -> float:
        wall = self.left().wall
        return PROJECTION if wall is None else min(PROJECTION, wall / 4)

    def for_trial(self, trials: Sequence[int]) -> Limits:
        """For the first of those that wait, told by the seconds that each would like to have.

        It gets its share of what is left for trials, so that nobody after it goes without.
        """
        left, first = self.left(), trials[0]
        whole = min(TRIALS, (self.limits.wall or WHOLE) / 2)
        share = max(whole - self.spent_on_trials, MOMENT) * first / sum(trials)
        return Limits(
            min(share, left.wall or share),
            min(first, left.cpu or first),
            min(MEMORY, left.memory or MEMORY),
        )

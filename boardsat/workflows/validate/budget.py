"""The budget of a validation in seconds, from its beginning."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

SMALL, LARGE = 60.0, 600.0
"""What is usual where the formulas together are small, and where they are not."""
SMALL_BYTES = 10_000_000

LEAST = 1.0
"""A run with less than that is not worth its start."""


@dataclass(frozen=True)
class Budget:
    seconds: float | None
    """None for as long as it takes."""
    begun: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        if self.seconds is None:
            return math.inf
        return self.begun + self.seconds - time.monotonic()


def chosen(wanted: float | None, size: int, begun: float) -> Budget:
    """The budget that was asked for, 0 for none; else the usual one for formulas of this size."""
    if wanted is None:
        wanted = SMALL if size <= SMALL_BYTES else LARGE
    return Budget(wanted or None, begun)

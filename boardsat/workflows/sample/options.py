"""Options of a sample: number of boards, sampler, limits and seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from boardsat.adapters.runtimes import Limits

DEFAULT_SEED = 0
DEFAULT_SIZE, MAX_SIZE = 20, 100_000

POOL_FACTOR, MIN_POOL = 20, 200
"""Number of boards to draw for each board of a diverse subset, and its minimum in all."""


class SampleOptions(NamedTuple):
    """Options of a sample. None: not set by the user."""

    limits: Limits
    """Limits of the whole sample: trials, projection, drawing and checks together."""
    size: int = DEFAULT_SIZE
    """Number of boards to return."""
    sampler: str | None = None
    runtime: str = "auto"
    seed: int | None = None
    diverse: bool = False
    """True to draw more boards and return a subset of boards that are far apart."""

    @property
    def draws(self) -> int:
        """Number of boards to draw."""
        if not self.diverse:
            return self.size
        return max(self.size, min(MAX_SIZE, max(MIN_POOL, POOL_FACTOR * self.size)))

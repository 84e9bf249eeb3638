"""The options of a sample: how many boards, by whom, within which limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardsat.base.errors import InputError

if TYPE_CHECKING:
    from boardsat.adapters.runtimes import Limits

SEED = 0
"""Where nobody names one: the same boards again."""

SIZE, MOST = 20, 100_000
"""Boards of a sample: the usual number, and the largest."""

POOL, LEAST_POOL = 20, 200
"""Boards that far ones are picked from: so many for each, and so many at least."""


@dataclass(frozen=True)
class SampleQuestion:
    """What to draw, and how; None where nobody says."""

    limits: Limits
    """For all of it together: trials, projection, drawing and checking."""
    size: int = SIZE
    sampler: str | None = None
    runtime: str = "auto"
    seed: int | None = None
    diverse: bool = False

    any_projection = False
    """Of boards that are not those of the problem, no uniform sample is one."""

    def __post_init__(self) -> None:
        if not 1 <= self.size <= MOST:
            raise InputError(f"a sample of {self.size}", f"draw 1 to {MOST:,}")

    @property
    def draws(self) -> int:
        """How many boards are drawn, of which some may be picked."""
        if not self.diverse:
            return self.size
        return max(self.size, min(MOST, max(LEAST_POOL, POOL * self.size)))

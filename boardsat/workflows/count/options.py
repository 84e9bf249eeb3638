"""The options of a count: counter, limits, accuracy and referee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.adapters.runtimes import Limits

NOBODY = "none"
"""As a referee: there shall be none."""


@dataclass(frozen=True)
class CountQuestion:
    """How to count; None where nobody says."""

    limits: Limits
    """For all of it together: trials, projection, count and referee."""
    counter: str | None = None
    runtime: str = "auto"
    seed: int | None = None
    epsilon: float | None = None
    delta: float | None = None
    repeat: int | None = None
    referee: str | None = None
    any_projection: bool = False

    @property
    def asks_for_estimate(self) -> str:
        """The option that does."""
        given = {"epsilon": self.epsilon, "delta": self.delta, "repeat": self.repeat}
        return next((f"--{name}" for name, value in given.items() if value is not None), "")

"""Options of a count: counter, limits, accuracy and reference count."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from boardsat.adapters.runtimes import Limits

NO_REFERENCE = "none"
"""Name of a reference that disables the comparison."""


class CountOptions(NamedTuple):
    """Options of a count. None: not set by the user."""

    limits: Limits
    """Limits of the whole count: trials, projection, count and reference together."""
    counter: str | None = None
    runtime: str = "auto"
    seed: int | None = None
    epsilon: float | None = None
    delta: float | None = None
    repeat: int | None = None
    """Number of runs with consecutive seeds, whose median is reported."""
    reference: str | None = None
    """Name of a counter to compare with, `published` or `none`."""
    allow_invalid_projection: bool = False

    @property
    def estimate_option(self) -> str:
        """First option that requires an estimate, as on the command line. Empty if none is set."""
        values = {"epsilon": self.epsilon, "delta": self.delta, "repeat": self.repeat}
        return next((f"--{name}" for name, value in values.items() if value is not None), "")

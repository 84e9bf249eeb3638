"""Options of a count and of a sample, which load no solver: `--help` needs their defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from boardsat.adapters.runtimes import Limits

NO_REFERENCE = "none"
"""Name of a reference that disables the comparison."""

DEFAULT_SAMPLE_SEED = 0

DEFAULT_SAMPLE_SIZE, MAX_SAMPLE_SIZE = 20, 100_000
"""Number of boards of a sample: its default, and its maximum."""

POOL_FACTOR, MIN_POOL = 20, 200
"""Number of boards to draw per board of a diverse subset, and minimum number of all draws."""


class CountOptions(NamedTuple):
    """Options of a count. None: not set by the user."""

    limits: Limits
    """Limits of the whole count: trials, projection, count and reference together."""
    counter: str | None = None
    """Name of the counter, or path of its YAML file."""
    runtime: str = "auto"
    seed: int | None = None
    epsilon: float | None = None
    """Tolerance of an estimate: it is within a factor of 1 + epsilon."""
    delta: float | None = None
    """Failure probability of an estimate."""
    repeat: int | None = None
    """Number of runs with consecutive seeds, whose median is reported."""
    reference: str | None = None
    """Name of a counter to compare with, `published` or `none`."""
    allow_invalid_projection: bool = False
    """True to count the projected models even if they are not the boards."""

    @property
    def estimate_option(self) -> str:
        """First option that requires an estimate, as on the command line. Empty if none is set."""
        values = {"epsilon": self.epsilon, "delta": self.delta, "repeat": self.repeat}
        return next((f"--{name}" for name, value in values.items() if value is not None), "")


class SampleOptions(NamedTuple):
    """Options of a sample. None: not set by the user."""

    limits: Limits
    """Limits of the whole sample: trials, projection, drawing and checks together."""
    size: int = DEFAULT_SAMPLE_SIZE
    """Number of boards to return."""
    sampler: str | None = None
    """Name of the sampler, or path of its YAML file."""
    runtime: str = "auto"
    seed: int | None = None
    diverse: bool = False
    """True to draw more boards and return a subset of boards that are far apart."""

    @property
    def draws(self) -> int:
        """Number of boards to draw."""
        if not self.diverse:
            return self.size
        return max(self.size, min(MAX_SAMPLE_SIZE, max(MIN_POOL, POOL_FACTOR * self.size)))

"""Counters that work on the board, without a formula: independent checks of other counts."""

from __future__ import annotations

DEFAULT_EPSILON = 0.8
"""An approximate count is within a factor of 1 + epsilon of the exact count,"""

DEFAULT_DELTA = 0.2
"""with a probability of at least 1 - delta."""

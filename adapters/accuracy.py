"""The default accuracy of an estimate: epsilon and delta."""

from __future__ import annotations

EPSILON = 0.8
"""It is within a factor of 1 + epsilon of the count,"""

DELTA = 0.2
"""with a failure probability of delta."""

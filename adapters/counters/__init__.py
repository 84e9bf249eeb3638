"""Counters that work on the board, without a formula: independent checks of other counts."""

from __future__ import annotations

from typing import NamedTuple

DEFAULT_EPSILON = 0.8
DEFAULT_DELTA = 0.2


class Accuracy(NamedTuple):
    """Guarantee of an estimate: within a factor of 1 + epsilon, except with probability delta."""

    epsilon: float = DEFAULT_EPSILON
    delta: float = DEFAULT_DELTA

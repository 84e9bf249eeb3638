"""The unary encoding of the 14x14 tour, against writing the same bytes to a file in memory."""

from __future__ import annotations

from bench._bandwidth import shares
from bench._measure import Row


def run() -> list[Row]:
    return shares("unary", 14, 0.18)

"""Record of the files that a command has put in place, for the line that reports an interrupt."""

from __future__ import annotations

import os
from collections import deque

_placed: deque[str] = deque(maxlen=10_000)
"""Paths of the files, the last one last; a library may write any number of them."""


def record(path: str) -> None:
    _placed.append(path)


def clear() -> None:
    """Begin a new command."""
    _placed.clear()


def existing() -> list[str]:
    """Return the recorded files that are still there: those in scratch folders are gone."""
    return [path for path in dict.fromkeys(_placed) if os.path.exists(path)]  # noqa: PTH110

"""How many there are, in words: 1 model, 2 models, 1,000 models."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """The number with its noun; `many` where an s at the end is not enough."""
    return f"{number:,} {plural(number, one, many)}"


def plural(number: int, one: str, many: str = "") -> str:
    return one if number == 1 else many or f"{one}s"

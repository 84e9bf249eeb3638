"""Numbers with their nouns: 1 cell, 2 cells, 1,000 cells."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """`many` where an s at the end is not enough."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"

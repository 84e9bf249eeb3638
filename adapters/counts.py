"""Numbers in words: 1 model, 2 models, 1,000 models."""

from __future__ import annotations

import re


def counted(number: int, one: str, many: str = "") -> str:
    """The number with its noun; `many` where an s at the end is not enough."""
    return f"{number:,} {plural(number, one, many)}"


def plural(number: int, one: str, many: str = "") -> str:
    return one if number == 1 else many or f"{one}s"


def counted_as(number: int, many: str) -> str:
    """The same where only the plural is known: 1 closed tour, of `closed tours`."""
    return counted(number, _singular(many), many)


def _singular(phrase: str) -> str:
    """Without the s of the noun, which stands at the end or before what tells more of it."""
    return re.sub(
        r"(?:(?<=ss)e)?s(?=$| (?:of|on|in|with|that|which|by|for)\b)", "", phrase, count=1
    )

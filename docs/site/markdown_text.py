"""Pieces of Markdown that the made pages share."""

from __future__ import annotations

import re
from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def escaped(text: str) -> str:
    """Signs of Markdown are meant as they stand, outside of `code`; a page of docs/ is a link."""
    parts = re.split(r"(`[^`\n]*`)", text)
    plain = [re.sub(r"([*<|\[\]])", r"\\\1", part) for part in parts[::2]]
    linked = [re.sub(r"\bdocs/([\w-]+\.md)", r"[\1](\1)", part) for part in plain]
    return "".join(a + b for a, b in zip(linked, [*parts[1::2], ""], strict=True))

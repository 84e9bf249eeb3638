"""Text for people: plurals, single lines, suggestions for misspelt words, and indented JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

MAX_LINE_LENGTH = 1000
"""Maximum number of characters of a message."""


def pluralize(number: int, singular: str, plural: str = "") -> str:
    """Return the number with its noun: `1 cell`, `1,000 cells`.

    `plural` is needed only for nouns whose plural is not formed by adding an s.
    """
    return f"{number:,} {plural_form(number, singular, plural)}"


def plural_form(number: int, singular: str, plural: str = "") -> str:
    """Return the noun alone, in the form that goes with the number."""
    return singular if number == 1 else plural or f"{singular}s"


def pluralize_phrase(number: int, plural: str) -> str:
    """Return the number with a phrase given in the plural: `1 closed tour` of `closed tours`."""
    return pluralize(number, _singular(plural), plural)


def _singular(phrase: str) -> str:
    """Remove the plural s of the head noun, at the end or before a preposition."""
    return re.sub(
        r"(?:(?<=ss)e)?s(?=$| (?:of|on|in|with|that|which|by|for)\b)", "", phrase, count=1
    )


def one_line(text: str) -> str:
    """Return the text as one printable line; cut the middle if it exceeds MAX_LINE_LENGTH."""
    # Spaces inside a line are kept, as a quoted header may need them.
    line = re.sub(r"\s*[^\S ]\s*", " ", text).strip()
    if len(line) > MAX_LINE_LENGTH:
        # A message begins with its location and ends with its remedy.
        line = f"{line[: MAX_LINE_LENGTH // 2]} ... {line[-MAX_LINE_LENGTH // 2 :]}"
    return "".join(char if char.isprintable() else "?" for char in line)


def suggest(name: str, choices: Iterable[str]) -> str:
    """Return the remedy for an unknown name: the nearest choice, or the list of all."""
    names = sorted(map(str, choices))
    if near := nearest(name, names):
        return f"did you mean {near!r}?"
    return f"choose from: {', '.join(names)}" if names else "there is none to choose from"


def nearest(name: str, choices: Iterable[str]) -> str | None:
    """Return the choice most similar to the name, or None if no choice is similar."""
    import difflib

    matches = difflib.get_close_matches(name, sorted(choices), n=1)
    return matches[0] if matches else None


def format_json(value: Any, indent: str = "") -> str:
    """Return indented JSON with lists of numbers on one line: a model can have millions."""
    import json

    inner = f"{indent}  "
    if isinstance(value, Mapping) and value:
        rows = [
            f"{json.dumps(str(key))}: {format_json(member, inner)}" for key, member in value.items()
        ]
    elif isinstance(value, list | tuple) and not all(type(member) is int for member in value):
        rows = [format_json(member, inner) for member in value]
    else:
        return json.dumps(value)
    first, last = "{}" if isinstance(value, Mapping) else "[]"
    between = f",\n{inner}"
    return f"{first}\n{inner}{between.join(rows)}\n{indent}{last}"

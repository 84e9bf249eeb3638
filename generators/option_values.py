"""Values of options, which the command line offers and the library checks."""

from __future__ import annotations

from boardsat.base.errors import InputError
from boardsat.base.text import suggest

PROJECTIONS = ("ind", "show", "none")
THREE_CNF = ("auto", "chain", "equivalences")


def split(words: str, option: str) -> list[str]:
    """The words of a list with commas, each once."""
    found = [word.strip() for word in words.split(",")]
    if not all(found):
        raise InputError("an empty name", "write names with commas between them", option)
    return list(dict.fromkeys(found))


def check_choice(word: str, choices: tuple[str, ...]) -> None:
    if word not in choices:
        raise InputError(f"no choice {word!r} here", suggest(word, choices))

"""Values of options, which the command line offers and the library checks."""

from __future__ import annotations

from boardsat.base.errors import InputError
from boardsat.base.text import suggest

PROJECTIONS = ("ind", "show", "none")
THREE_CNF = ("auto", "chain", "equivalences")


def split(text: str, option: str) -> list[str]:
    """Return the distinct names of a comma-separated list; `option` is the location of errors."""
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        fault = "names must not be empty"
        raise InputError(fault, "write names with commas between them", option)
    return list(dict.fromkeys(names))


def check_choice(name: str, choices: tuple[str, ...]) -> None:
    """Raise InputError if a name is not one of the choices."""
    if name not in choices:
        raise InputError(f"unknown choice {name!r}", suggest(name, choices))

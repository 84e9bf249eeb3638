"""The one error that bad input raises: a place, a fault and a remedy, on one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST = 1000
"""Characters of a message."""


class InputError(Exception):
    """Bad input from a user: spec, parameter, file or target. Only the command line prints it."""

    def __init__(self, fault: str, remedy: str = "", place: str = "") -> None:
        self.place, self.fault, self.remedy = place, fault, remedy
        text = f"{place}: {fault}" if place else fault
        text = f"{text}; {remedy}" if remedy else text
        super().__init__(one_line(text))

    def at(self, place: str, declared: str = "") -> InputError:
        """The same error at a place that whoever found it could not know.

        What is wrong with a user's setting is wrong there, and only then where it is `declared`.
        """
        also = f" (declared in {declared})" if declared else ""
        return type(self)(self.fault, f"{self.remedy}{also}", place)


class UnsupportedError(InputError):
    """A spec is not for such a board; another encoding of its problem may be."""


def one_line(text: str) -> str:
    """The text as one line, with nothing in it that a terminal would obey, and not endless."""
    line = " ".join(text.split())
    if len(line) > LONGEST:
        # The place is at its beginning, the remedy at its end.
        line = f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"
    return "".join(sign if sign.isprintable() else "?" for sign in line)


def choose_from(word: str, choices: Iterable[str]) -> str:
    """The remedy for an unknown word: the nearest known one, or the whole list."""
    known = sorted(choices)
    if near := nearest(word, known):
        return f"did you mean {near!r}?"
    return f"choose from: {', '.join(known)}" if known else "there is none to choose from"


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that was most likely meant, if one is like the word."""
    near = difflib.get_close_matches(word, sorted(choices), n=1)
    return near[0] if near else None

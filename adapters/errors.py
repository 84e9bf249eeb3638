"""The error that a bad file, solver or answer raises: place, fault and remedy on one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from enum import StrEnum

LONGEST = 1000
"""Characters of a message."""


class AdapterError(Exception):
    """Something a user must know or mend. Only the command line prints it."""

    exit_code = 2

    def __init__(self, fault: str, remedy: str = "", place: str = "") -> None:
        self.place, self.fault, self.remedy = place, fault, remedy
        text = f"{place}: {fault}" if place else fault
        super().__init__(one_line(f"{text}; {remedy}" if remedy else text))


def one_line(text: str) -> str:
    """The text as one line, with nothing in it that a terminal would obey, and not endless."""
    line = " ".join(text.split())
    if len(line) > LONGEST:
        # The place is at its beginning, the remedy at its end.
        line = f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"
    return "".join(sign if sign.isprintable() else "?" for sign in line)


class Wrong(StrEnum):
    """What is false about an answer."""

    ANSWER = "answer"
    """It contradicts another one, or a rule, or its proof does not hold."""
    MODEL = "model"
    """A clause is false under it."""
    BOARD = "board"
    """Its board breaks the rules, though its model satisfies the formula: the encoding is wrong."""


class WrongAnswerError(AdapterError):
    """A solver's answer was checked and is false: loud, and exit code 1."""

    exit_code = 1
    what = Wrong.ANSWER


class WrongModelError(WrongAnswerError):
    """A model that makes a clause false, which the formula alone shows."""

    what = Wrong.MODEL


class WrongBoardError(WrongAnswerError):
    """A model that satisfies the formula, whose board breaks the rules of the problem."""

    what = Wrong.BOARD


class LostProofError(AdapterError):
    """There is no proof of an answer, or only a part of it."""


def suggest(word: str, known: Iterable[str]) -> str:
    """The nearest known word, or all of them."""
    words = sorted(map(str, known))
    near = difflib.get_close_matches(word, words, n=1)
    return f"did you mean {near[0]!r}?" if near else f"choose from: {', '.join(words)}"

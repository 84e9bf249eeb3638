"""How a view is drawn: its signs, colours and words, for the header of a file."""

from __future__ import annotations

from typing import Any

from boardsat.base.text import suggest
from boardsat.generators.boards._pieces import FRIENDS
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.schema import View

COLOURS = (
    *("black", "grey", "white", "red", "orange", "yellow"),
    *("green", "teal", "blue", "purple", "pink", "brown"),
)
SIGNS = ("circle", "disc", "dot", "cross")
"""Signs that have no letter."""
SPOTS = ("centre", "top left", "top right", "bottom left", "bottom right")
"""Where in a cell a label may stand."""

_MOST_WORDS, _LONGEST_WORD, _LONGEST_NAME = 100, 20, 60


def design(shown: View) -> dict[str, Any]:
    """What the header of a file says of it."""
    said: dict[str, Any] = {}
    options = shown.options
    if "sign" in options:
        said["sign"] = _sign(options["sign"])
    if "colour" in options:
        said["colours"] = [
            _one_of(options["colour"], word, COLOURS, "colour")
            for word in _split(options["colour"])
        ]
    if "words" in options:
        said["words"] = _words(options["words"])
    if "at" in options:
        said["at"] = _one_of(options["at"], options["at"].text, SPOTS, "spot")
    if "name" in options:
        said["name"] = _line(options["name"])
    if heads := [_line(options[key]) if key in options else "" for key in ("rows", "columns")]:
        said |= {"heads": heads} if any(heads) else {}
    if "apart" in options:
        said["apart"] = _flag(options["apart"])
    return said


def _sign(source: ExpressionText) -> str:
    """The name of a chess piece or of another sign, or one character."""
    word = source.text.strip()
    known = (*FRIENDS, *SIGNS)
    if word not in known and (len(word) != 1 or not word.isprintable()):
        raise source.error(
            f"no sign {word[:20]!r}", f"write one character, or one of: {', '.join(known)}"
        )
    return word


def _split(source: ExpressionText) -> list[str]:
    words = source.text.replace(",", " ").split()
    if not 1 <= len(words) <= _MOST_WORDS:
        raise source.error(f"{len(words)} words", f"write 1 to {_MOST_WORDS} of them")
    return words


def _one_of(source: ExpressionText, word: str, known: tuple[str, ...], what: str) -> str:
    if word not in known:
        raise source.error(f"no {what} {word[:20]!r}", suggest(word, known))
    return word


def _line(source: ExpressionText) -> str:
    if len(source.text) > _LONGEST_NAME or not source.text.isprintable():
        raise source.error("no name to be shown", f"shorten it to {_LONGEST_NAME}")
    return source.text


def _flag(source: ExpressionText) -> bool:
    if source.text not in ("true", "false"):
        raise source.error(f"{source.text[:20]!r} is not a truth value", "write true or false")
    return source.text == "true"


def _words(source: ExpressionText) -> list[str]:
    """What is shown for the values 0, 1 and so on."""
    words = _split(source)
    for word in words:
        if len(word) > _LONGEST_WORD or not word.isprintable():
            raise source.error(
                f"no word to be shown: {word[:20]!r}", f"shorten it to {_LONGEST_WORD}"
            )
    return words

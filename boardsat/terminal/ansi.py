"""Colours on a terminal: green for yes, red for no, yellow for neither.

NO_COLOR switches them off (no-color.org), FORCE_COLOR on where the output is no terminal.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

from boardsat.terminal.streams import PAINT, order

RED, GREEN, YELLOW = "31", "32", "33"
BOLD = "1"

_WORDS = {
    GREEN: ("SATISFIABLE", "OPTIMUM", "AGREE", "agree", "inside", "valid", "intact", "ok"),
    RED: ("UNSATISFIABLE", "DISAGREE", "disagree", "outside", "invalid", "NOT intact", "NO"),
    YELLOW: ("UNKNOWN", "UNDECIDED", "unknown", "NOT checked"),
}
COLOURS = {word: colour for colour, words in _WORDS.items() for word in words}


def word(text: str) -> str:
    """A word for standard output in the colour of what it means, if it has one."""
    return painted(text, COLOURS.get(text, ""), sys.stdout)


def plain(text: str) -> str:
    """Without colours, for a text that may go anywhere."""
    return PAINT.sub("", text)


def painted(text: str, colour: str, stream: TextIO | None) -> str:
    if not colour or not _shows_colours(stream):
        return text
    return f"{order(f'[{colour}m', stream)}{text}{order('[0m', stream)}"


def _shows_colours(stream: TextIO | None) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"

"""Standard streams: closed ones, ones without a reader, escaping of control characters, colours.

Titles, names, comments and messages may come from anybody. A control character among them could
hide what precedes it, or reverse it; so only boardsat's own colours pass to the terminal: green for
yes, red for no, yellow for neither. NO_COLOR switches them off (no-color.org), FORCE_COLOR switches
them on if the output is not a terminal.
"""

from __future__ import annotations

import os
import re
import select
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

# Random, so that text of a file cannot imitate a marked sequence.
_KEY = os.urandom(8).hex()
_UNSAFE = re.compile(rf"\033{_KEY}|[^ -~\n\t]")

_COLOUR_SEQUENCE = rf"\033(?:{_KEY})?\[\d*m"
"""Regular expression for the control sequence of a colour, with or without the key."""

RED, GREEN, YELLOW = "31", "32", "33"
BOLD = "1"

_WORDS = {
    GREEN: ("SATISFIABLE", "OPTIMUM", "AGREE", "agree", "inside", "valid", "intact", "ok"),
    RED: ("UNSATISFIABLE", "DISAGREE", "disagree", "outside", "invalid", "NOT intact", "NO"),
    YELLOW: ("UNKNOWN", "UNDECIDED", "unknown", "NOT checked"),
}
COLOURS = {word: colour for colour, words in _WORDS.items() for word in words}
"""Colours of statuses and verdicts."""


def open_closed_streams() -> None:
    """Open closed standard streams: input is empty, and output is discarded.

    Otherwise the next file or pipe that is opened would take the number of the stream.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            discard_output(number)
            os.set_inheritable(number, True)
            # Writing clauses to a closed standard output must fail.
            if name != "stdout":
                setattr(sys, name, os.fdopen(number, "r" if name == "stdin" else "w"))


def has_lost_reader() -> bool:
    """Return True if the pipe that standard output writes to has no reader any more."""
    output = select.poll()
    output.register(1, 0)
    return bool(output.poll(0))


def discard_output(number: int) -> None:
    """Discard all that is written to a descriptor, so that Python's flush at exit cannot fail."""
    descriptor = os.open(os.devnull, os.O_RDWR)
    if descriptor != number:
        os.dup2(descriptor, number)
        os.close(descriptor)


@contextmanager
def ignored_stderr_errors() -> Iterator[None]:
    """Ignore errors of writing to standard error: the work goes on without its reader."""
    usual: Any = sys.stderr
    sys.stderr = _UnfailingStream(usual)
    try:
        yield
    finally:
        sys.stderr = usual


class _UnfailingStream:
    """Wrapper of standard error that ignores errors of writing."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        try:
            self._stream.write(text)
        except OSError:
            discard_output(2)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            discard_output(2)


def escape_controls(text: str) -> str:
    """Return the text with control characters escaped, except line ends and marked sequences."""
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    sign = match[0]
    if len(sign) > 1:
        return "\033"
    return sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")


class EscapingStream:
    """Text stream that escapes control characters in what is written."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        return self.stream.write(escape_controls(text))

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


def unescaped_stream(stream: TextIO) -> TextIO:
    """Return the stream without escaping, for progress displays that escape texts themselves."""
    return stream.stream if isinstance(stream, EscapingStream) else stream


@contextmanager
def escaping_streams() -> Iterator[None]:
    """Escape control characters in what is written to standard output and standard error."""
    usual = sys.stdout, sys.stderr
    for name, stream in zip(("stdout", "stderr"), usual, strict=True):
        if stream is not None and not isinstance(stream, EscapingStream):
            setattr(sys, name, cast(TextIO, EscapingStream(stream)))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = usual


def paint_word(text: str) -> str:
    """Return a status or verdict for standard output in its colour; other text as it is."""
    return paint(text, COLOURS.get(text, ""), sys.stdout)


def paint(text: str, colour: str, stream: TextIO | None) -> str:
    """Return the text in a colour if the stream shows colours."""
    if not colour or not _shows_colours(stream):
        return text
    # An escaping stream passes sequences with the key to the terminal.
    escape = f"\033{_KEY if isinstance(stream, EscapingStream) else ''}"
    return f"{escape}[{colour}m{text}{escape}[0m"


def strip_colours(text: str) -> str:
    """Return the text without colours, for output that is not only for a terminal."""
    return re.sub(_COLOUR_SEQUENCE, "", text)


def _shows_colours(stream: TextIO | None) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"

"""The one way to the terminal: whatever it would obey is shown escaped, but for our own colours.

Titles, names, comments and messages may come from anybody. A control character among them could
hide what stands before it, or reverse it; so none passes, whoever prints it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO, cast

# No file can know it, so no text of a file passes for ours.
_KEY = os.urandom(8).hex()
_ODD = re.compile(rf"\033{_KEY}|[^ -~\n\t]")

PAINT = re.compile(rf"\033(?:{_KEY})?\[\d*m")
"""Colours, whether they are on their way to a terminal or elsewhere."""


def escaped(text: str) -> str:
    """The same text, with nothing in it that a terminal obeys beside line ends and our marks."""
    return _ODD.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    sign = found[0]
    if len(sign) > 1:
        return "\033"
    return sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")


class SafeStream:
    """A stream of text that escapes what is written."""

    def __init__(self, stream: TextIO) -> None:
        self.unguarded = stream

    def write(self, text: str) -> int:
        return self.unguarded.write(escaped(text))

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self.unguarded, name)


def order(sequence: str, stream: TextIO | None) -> str:
    """A sequence that the terminal shall obey, such as `[31m`, to be printed on a stream."""
    return f"\033{_KEY if isinstance(stream, SafeStream) else ''}{sequence}"


def unguarded(stream: TextIO) -> TextIO:
    """For what moves on the screen, and escapes by itself the texts that it shows."""
    return stream.unguarded if isinstance(stream, SafeStream) else stream


@contextmanager
def guarded() -> Iterator[None]:
    """Standard output and standard error escape, for as long as it lasts."""
    before = sys.stdout, sys.stderr
    for name, stream in zip(("stdout", "stderr"), before, strict=True):
        if stream is not None and not isinstance(stream, SafeStream):
            setattr(sys, name, cast(TextIO, SafeStream(stream)))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before

"""Standard streams: closed ones, ones without a reader, and escaping of control characters.

Titles, names, comments and messages may come from anybody. A control character among them could
hide what precedes it, or reverse it; so only our own colours pass to the terminal.
"""

from __future__ import annotations

import os
import re
import select
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

# Random, so that no text of a file passes for a sequence of ours.
_KEY = os.urandom(8).hex()
_UNSAFE = re.compile(rf"\033{_KEY}|[^ -~\n\t]")

PAINT = re.compile(rf"\033(?:{_KEY})?\[\d*m")
"""Sequences of colours, marked or not."""


def fill_closed() -> None:
    """Open closed standard streams: input is empty, and output is discarded.

    Otherwise the next file or pipe that is opened would take the number of the stream.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            discard(number)
            os.set_inheritable(number, True)
            # Writing clauses to a closed standard output must fail.
            if name != "stdout":
                setattr(sys, name, os.fdopen(number, "r" if name == "stdin" else "w"))


def nobody_reads() -> bool:
    """Return whether the reader of standard output has gone, not a program that we run."""
    output = select.poll()
    output.register(1, 0)
    return bool(output.poll(0))


def discard(number: int) -> None:
    """Discard all that is written to a stream, so that Python's flush at its exit cannot fail."""
    descriptor = os.open(os.devnull, os.O_RDWR)
    if descriptor != number:
        os.dup2(descriptor, number)
        os.close(descriptor)


@contextmanager
def errors_never_fail() -> Iterator[None]:
    """Ignore errors of writing to standard error: the work goes on without its reader."""
    usual: Any = sys.stderr
    sys.stderr = _Unfailing(usual)
    try:
        yield
    finally:
        sys.stderr = usual


class _Unfailing:
    """Wrapper of a stream that ignores errors of writing."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        try:
            self._stream.write(text)
        except OSError:
            discard(2)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            discard(2)


def escaped(text: str) -> str:
    """Return the text with control characters escaped, except line ends and our sequences."""
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    sign = match[0]
    if len(sign) > 1:
        return "\033"
    return sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")


class SafeStream:
    """Text stream that escapes what is written."""

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
    """Return a control sequence, such as `[31m`, that the stream passes to the terminal."""
    return f"\033{_KEY if isinstance(stream, SafeStream) else ''}{sequence}"


def unguarded(stream: TextIO) -> TextIO:
    """Return the stream without escaping, for progress displays that escape texts themselves."""
    return stream.unguarded if isinstance(stream, SafeStream) else stream


@contextmanager
def guarded() -> Iterator[None]:
    """Escape what is written to standard output and standard error."""
    before = sys.stdout, sys.stderr
    for name, stream in zip(("stdout", "stderr"), before, strict=True):
        if stream is not None and not isinstance(stream, SafeStream):
            setattr(sys, name, cast(TextIO, SafeStream(stream)))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before

"""Standard streams that are closed, that nobody reads, or that have no room: no reason to fail."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


def fill_closed() -> None:
    """A closed stream is empty, or swallows what is written.

    Otherwise the next file or pipe that is opened takes its number, and gets what is meant for it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            discard(number)
            os.set_inheritable(number, True)
            # Whoever writes clauses to standard output must know that it is closed.
            if name != "stdout":
                setattr(sys, name, os.fdopen(number, "r" if name == "stdin" else "w"))


def nobody_reads() -> bool:
    """Whether it is our output that is closed, and not the input of a program that we run."""
    output = select.poll()
    output.register(1, 0)
    return bool(output.poll(0))


def discard(number: int) -> None:
    """From now on what a stream gets is gone; Python's own flush at its exit must not fail."""
    descriptor = os.open(os.devnull, os.O_RDWR)
    if descriptor != number:
        os.dup2(descriptor, number)
        os.close(descriptor)


@contextmanager
def errors_never_fail() -> Iterator[None]:
    """What is said on standard error is for people: without them the work goes on."""
    usual: Any = sys.stderr
    sys.stderr = _Unfailing(usual)
    try:
        yield
    finally:
        sys.stderr = usual


class _Unfailing:
    """A stream as it is, but for writing: there no fault matters."""

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

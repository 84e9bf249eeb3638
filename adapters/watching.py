"""Whoever limits long work: asked between two pieces of it, and may stop it by an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_watch: ContextVar[Callable[[], None] | None] = ContextVar("_watch", default=None)


@contextmanager
def watched(look: Callable[[], None]) -> Iterator[None]:
    before = _watch.set(look)
    try:
        yield
    finally:
        _watch.reset(before)


def look() -> None:
    """Between two blocks of a file, for example."""
    if (watch := _watch.get()) is not None:
        watch()

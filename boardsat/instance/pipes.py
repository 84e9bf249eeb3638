"""What comes through a pipe is read once: it is kept in a file for as long as it is needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from boardsat.base import scratch
from boardsat.base.errors import InputError
from boardsat.instance.file_types import STDIN, is_stream

MOST = 2**30
"""Bytes; whoever has more has a file."""


@contextmanager
def regular(name: str) -> Iterator[str]:
    """The file itself, or one with what comes through a stream, whose name ends alike."""
    if not is_stream(name):
        yield name
        return
    with scratch.folder() as folder:
        copy = folder / f"stream{''.join(Path(name).suffixes[-2:])}"
        try:
            scratch.write(copy, _pieces(name))
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", "give a file", name) from None
        yield str(copy)


def _pieces(name: str) -> Iterator[bytes]:
    passed = 0
    with (
        os.fdopen(os.dup(sys.stdin.fileno()), "rb") if name == STDIN else Path(name).open("rb") as f
    ):
        while piece := f.read(2**20):
            passed += len(piece)
            if passed > MOST:
                raise InputError(
                    f"more than {MOST >> 30} GB through a pipe", "write it to a file first", name
                )
            yield piece

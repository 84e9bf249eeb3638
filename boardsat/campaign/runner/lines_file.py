"""A file of lines that only grows and survives a crash: a line is there whole, or it is ignored."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from boardsat.base.errors import InputError

SYNC_SECONDS = 1.0
LONGEST = 2**26
"""Bytes of a line: the model of a large board has some millions."""


class LinesFile:
    """Read once, from the beginning; then lines are added."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.mend = ""
        self.synced = -SYNC_SECONDS

    def read(self) -> Iterator[bytes]:
        """Those of the file; one that is too long comes in pieces, which mean nothing."""
        if not self.path.is_file() or self.path.is_symlink():
            # What is kept here would go elsewhere.
            if os.path.lexists(self.path):
                raise InputError("a link, or no file", "remove it", str(self.path))
            return
        line = b"\n"
        with self.path.open("rb") as file:
            while line := file.readline(LONGEST):
                # A write that was cut short must not spoil the line after it.
                self.mend = "" if line.endswith(b"\n") else "\n"
                yield line

    def add(self, line: str) -> None:
        """What is written survives the end of this process; a power cut may take a second."""
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(self.mend + line)
                file.flush()
                if time.monotonic() - self.synced > SYNC_SECONDS:
                    os.fsync(file.fileno())
                    self.synced = time.monotonic()
        except OSError as error:
            # A full disk is told without the file that it was full for.
            raise OSError(error.errno, error.strerror, str(self.path)) from None
        self.mend = ""

"""Output of a program: read from its pipes as it comes, and stored up to a limit."""

from __future__ import annotations

import os
import select
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import field
from typing import IO, TYPE_CHECKING

from boardsat.base.dataclass import dataclass
from boardsat.base.errors import SolverError

if TYPE_CHECKING:
    import subprocess

MAX_OUTPUT_BYTES = 2**30

TERM_GRACE_SECONDS = 2.0
"""Time between the signals TERM and KILL to a program."""


@dataclass
class ProgramOutput:
    """Output of a program, stored in a temporary file up to MAX_OUTPUT_BYTES."""

    # Without a buffer, whose last bytes would fail where nobody expects it.
    file: IO[bytes] = field(default_factory=lambda: tempfile.TemporaryFile(buffering=0))  # noqa: SIM115
    size: int = 0
    lost: OSError | None = None
    """Error by which output was lost. None if all of it is stored."""

    def add(self, piece: bytes) -> bool:
        """Store a piece; return False if there is no room for more."""
        left = memoryview(piece)[: max(0, MAX_OUTPUT_BYTES - self.size)]
        self.size += len(piece)
        try:
            while left:
                left = left[self.file.write(left) :]
        except OSError as error:
            self.lost = error
        return self.size <= MAX_OUTPUT_BYTES and self.lost is None

    def check_complete(self) -> None:
        """Raise SolverError if a part of the output was lost."""
        if self.lost is not None:
            raise SolverError(
                f"the output of the solver cannot be kept: {self.lost.strerror}",
                "free some space there, or set TMPDIR to another folder",
                tempfile.gettempdir(),
            )

    def cut(self, size: int) -> None:
        """Truncate the output."""
        self.file.truncate(size)
        self.size = size

    def pieces(self) -> Iterator[bytes]:
        self.file.seek(0)
        while piece := self.file.read(2**18):
            yield piece

    def end(self, size: int) -> str:
        """Return the last bytes as text."""
        self.file.seek(max(0, min(self.size, MAX_OUTPUT_BYTES) - size))
        return self.file.read().decode("utf-8", "replace")

    def tail(self) -> str:
        """Return the last lines, for an error: one printable line."""
        text = "".join(c if c.isprintable() or c == "\n" else "?" for c in self.end(400))
        lines = text.split("\n")
        return " | ".join(line.strip()[:120] for line in lines[-4:] if line.strip())


class Pipes:
    """Pipes of a running program; waiting for its output also ends when the program ends."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        output: ProgramOutput,
        errors: ProgramOutput,
    ) -> None:
        assert process.stdout is not None and process.stderr is not None
        streams = ((process.stdout, output), (process.stderr, errors))
        self.open = {stream.fileno(): (stream, kept) for stream, kept in streams}
        self.full = False
        self.poll = select.poll()
        self.ending: int | None = None
        for number in self.open:
            self.poll.register(number, select.POLLIN)
        # An older kernel has none: then its end is found at the next look.
        with suppress(OSError):
            self.ending = os.pidfd_open(process.pid)
            self.poll.register(self.ending, select.POLLIN)

    def __enter__(self) -> Pipes:
        return self

    def __exit__(self, *_: object) -> None:
        self._close_pidfd()
        for number in tuple(self.open):
            self._close(number)

    def wait(self, seconds: float) -> bool:
        """Wait for output or the end; return whether the program may have ended."""
        ended = self.ending is None
        for number, _ in self.poll.poll(1000 * max(0.0, seconds)):
            if number not in self.open:
                ended = True
                continue
            piece = os.read(number, 2**16)
            if not piece:
                self._close(number)
            elif not self.open[number][1].add(piece):
                self.full = True
                self._close(number)
        return ended

    def drain(self) -> None:
        """Read the output that is left after the end of the program."""
        self._close_pidfd()
        deadline = time.monotonic() + TERM_GRACE_SECONDS
        while self.open and (left := deadline - time.monotonic()) > 0:
            self.wait(left)

    def _close(self, number: int) -> None:
        self.poll.unregister(number)
        self.open.pop(number)[0].close()

    def _close_pidfd(self) -> None:
        if self.ending is not None:
            self.poll.unregister(self.ending)
            os.close(self.ending)
            self.ending = None

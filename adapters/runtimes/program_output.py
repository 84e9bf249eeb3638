"""Output of a program: read from its pipes while it runs, and stored up to a limit."""

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
"""Time in seconds between the signals TERM and KILL."""


@dataclass
class ProgramOutput:
    """Output of a program, stored in a temporary file up to MAX_OUTPUT_BYTES."""

    # Without a buffer: the error of a full disk would be raised when the buffer is flushed.
    file: IO[bytes] = field(default_factory=lambda: tempfile.TemporaryFile(buffering=0))  # noqa: SIM115
    size: int = 0
    """Number of bytes printed, also of those above the limit."""
    error: OSError | None = None
    """Error that lost output. None if no output was lost."""

    def add(self, piece: bytes) -> bool:
        """Store a piece; return False if it was not stored as a whole."""
        unwritten = memoryview(piece)[: max(0, MAX_OUTPUT_BYTES - self.size)]
        self.size += len(piece)
        try:
            while unwritten:
                unwritten = unwritten[self.file.write(unwritten) :]
        except OSError as error:
            self.error = error
        return self.size <= MAX_OUTPUT_BYTES and self.error is None

    def check_complete(self) -> None:
        """Raise SolverError if output was lost."""
        if self.error is not None:
            raise SolverError(
                f"the output of the solver cannot be stored: {self.error.strerror}",
                "free some space there, or set TMPDIR to another folder",
                tempfile.gettempdir(),
            )

    def cut(self, size: int) -> None:
        """Truncate the output."""
        self.file.truncate(size)
        self.size = size

    def pieces(self) -> Iterator[bytes]:
        """Yield the stored output from its beginning."""
        self.file.seek(0)
        while piece := self.file.read(2**18):
            yield piece

    def end(self, size: int) -> str:
        """Return the last bytes as text."""
        self.file.seek(max(0, min(self.size, MAX_OUTPUT_BYTES) - size))
        return self.file.read().decode("utf-8", "replace")

    def tail(self) -> str:
        """Return the last lines as one printable line, for an error message."""
        text = "".join(c if c.isprintable() or c == "\n" else "?" for c in self.end(400))
        lines = text.split("\n")
        return " | ".join(line.strip()[:120] for line in lines[-4:] if line.strip())


class Pipes:
    """Pipes of a running program, read with poll(2); the end of the program also ends a wait."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        output: ProgramOutput,
        errors: ProgramOutput,
    ) -> None:
        assert process.stdout is not None and process.stderr is not None
        streams = ((process.stdout, output), (process.stderr, errors))
        self.open_pipes = {stream.fileno(): (stream, target) for stream, target in streams}
        """Open pipes, each with the ProgramOutput that stores what is read, by file descriptor."""
        self.is_full = False
        """True if output was not stored as a whole."""
        self.poll = select.poll()
        self.pidfd: int | None = None
        """File descriptor that becomes readable when the program ends; None if unavailable."""
        for descriptor in self.open_pipes:
            self.poll.register(descriptor, select.POLLIN)
        # Kernels before 5.3 have no pidfd: then the end is found when the wait ends.
        with suppress(OSError):
            self.pidfd = os.pidfd_open(process.pid)
            self.poll.register(self.pidfd, select.POLLIN)

    def __enter__(self) -> Pipes:
        return self

    def __exit__(self, *_: object) -> None:
        self._close_pidfd()
        for descriptor in tuple(self.open_pipes):
            self._close(descriptor)

    def wait(self, seconds: float) -> bool:
        """Wait for output or for the end; return True if the program may have ended."""
        may_have_ended = self.pidfd is None
        for descriptor, _ in self.poll.poll(1000 * max(0.0, seconds)):
            if descriptor not in self.open_pipes:
                may_have_ended = True
                continue
            piece = os.read(descriptor, 2**16)
            if not piece:
                self._close(descriptor)
            elif not self.open_pipes[descriptor][1].add(piece):
                self.is_full = True
                self._close(descriptor)
        return may_have_ended

    def drain(self) -> None:
        """Read the remaining output after the end of the program."""
        self._close_pidfd()
        deadline = time.monotonic() + TERM_GRACE_SECONDS
        while self.open_pipes and (seconds := deadline - time.monotonic()) > 0:
            self.wait(seconds)

    def _close(self, descriptor: int) -> None:
        self.poll.unregister(descriptor)
        self.open_pipes.pop(descriptor)[0].close()

    def _close_pidfd(self) -> None:
        if self.pidfd is not None:
            self.poll.unregister(self.pidfd)
            os.close(self.pidfd)
            self.pidfd = None

"""Judges one input: refused in one line, accepted, or a fault that has a name.

Faults are a traceback, an assertion of the target's oracle, more CPU time or memory than any
command may take for a small input, and whatever leaves the process: programs, sockets, files that
are written elsewhere.
"""

from __future__ import annotations

import atexit
import os
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType

from boardsat.adapters.dimacs.text import DimacsError
from boardsat.base.errors import BoardsatError, InputError
from fuzz.target import Target

SECONDS = 5.0
"""CPU time limit in seconds for one input."""

MEMORY = 500 * 2**20
"""Bytes for one input, beyond what the process has when it begins."""

REFUSALS = (BoardsatError, DimacsError, InputError)


class TooLongError(BaseException):
    """CPU time limit exceeded; a BaseException, so that no handler of errors catches it."""


class EscapeError(BaseException):
    """Attempt to start a program, use the network or write outside the scratch folder."""


@dataclass(frozen=True)
class Verdict:
    refused: bool
    fault: str = ""
    """Kind of the fault, equal for all inputs that show the same fault; empty if there is none."""
    story: str = ""
    """The traceback."""


def judged(target: Target, data: bytes) -> Verdict:
    try:
        with _clock():
            target.check(data)
        return Verdict(False)
    except REFUSALS as error:
        line = str(error)
        if target.are_valid:
            return Verdict(True, _kind(error), traceback.format_exc())
        if not line.isprintable() or len(line) > 2000 or not line.strip():
            return Verdict(True, f"message-{_kind(error)}", repr(line))
        return Verdict(True)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Verdict(False, _kind(error), traceback.format_exc())


def _kind(error: BaseException) -> str:
    """The error and the last function of ours that it passed through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [x for x in frames if "/boardsat/" in x.filename or "/tests/" in x.filename]
    ours = [x for x in ours if not x.filename.endswith("judging.py")] or list(frames)
    last = ours[-1]
    line = f"-{last.lineno}" if isinstance(error, AssertionError) else ""
    return f"{type(error).__name__}-{Path(last.filename).stem}-{last.name}{line}"


@contextmanager
def _clock() -> Iterator[None]:
    """Measure CPU time, because a busy machine is not a fault."""
    handler = signal.signal(signal.SIGVTALRM, _ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)


@contextmanager
def paused() -> Iterator[None]:
    """Let an oracle start a program, whose time is not that of the input."""
    seconds_left, _ = signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds_left)


def _ring(number: int, frame: FrameType | None) -> None:
    raise TooLongError


def _clock_runs() -> bool:
    return signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 0


def limit_memory() -> None:
    """Limit the address space to MEMORY bytes more than now; allocating more raises MemoryError."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    max_bytes = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))


@cache
def scratch() -> Path:
    """Return the folder that targets write their files to."""
    folder = tempfile.mkdtemp(prefix="boardsat-fuzz-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def forbid_escapes() -> None:
    """From now on no input may start programs, use the network, or write but in scratch."""
    tempfile.tempdir = str(scratch())
    # An import in the middle of an input would keep its bytecode beside the source.
    sys.dont_write_bytecode = True

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if not _clock_runs():
            return
        if event in ("os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.Popen"):
            raise EscapeError(event)
        if event.startswith("socket.") and event != "socket.gethostname":
            raise EscapeError(event)
        if event == "open":
            name, _, flags = arguments
            writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if writes and isinstance(name, str) and not name.startswith(str(scratch())):
                raise EscapeError(f"{event} {name}")

    sys.addaudithook(watch)

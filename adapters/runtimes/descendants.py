"""All that a program starts ends with it, also what has left its group, its session or its parent.

Whatever loses its parent becomes a child of ours while a program runs, and what descends from the
program is known by a word in its environment. So it is found even if we are killed: the next run
ends it.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path

from boardsat.base.process_id import has_ended, own_process_id

RUN_VARIABLE = "BOARDSAT_RUN"
REAP_SECONDS = 2.0
"""Seconds for what was killed to be gone."""

_SET_DEATH_SIGNAL, _SET_SUBREAPER, _GET_SUBREAPER = 1, 36, 37
_LIBC = ctypes.CDLL(None)
_numbers = count(1)
_lock = threading.Lock()
_runs = 0


def set_parent_death_signal(number: signal.Signals) -> None:
    """Let this process get a signal when the one that started it ends, however that ends."""
    _LIBC.prctl(_SET_DEATH_SIGNAL, number)


@cache
def death_signal_command() -> tuple[str, ...]:
    """A program that starts another, which is killed when we are; empty without one.

    Without it and the limiter the child must ask for that itself. Then all of us is copied first,
    which takes longer than to solve a small formula.
    """
    setpriv, prlimit = shutil.which("setpriv"), prlimit_path()
    if setpriv is None or not prlimit:
        return ()
    words = (setpriv, "--pdeathsig", "KILL")
    trial = [*words, prlimit, "--core=0", "true"]
    try:
        told = subprocess.run(trial, capture_output=True, check=False)
    except OSError:
        return ()
    return words if told.returncode == 0 else ()


@cache
def prlimit_path() -> str:
    """A program that starts another under limits; empty without one."""
    return shutil.which("prlimit") or ""


@contextmanager
def kill_descendants_on_exit(environment: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """The environment for a program; at the end nothing is left of what it has started."""
    name = f"{own_process_id()}.{next(_numbers)}"
    with _adopting():
        try:
            yield {**environment, RUN_VARIABLE: name}
        finally:
            _end(name)


@contextmanager
def _adopting() -> Iterator[None]:
    """Be the parent of what loses its own; other parts of this process may not expect that for
    longer than it is needed."""
    global _runs  # noqa: PLW0603
    before = ctypes.c_int(0)
    with _lock:
        _runs += 1
        if _runs == 1:
            _LIBC.prctl(_GET_SUBREAPER, ctypes.byref(before))
            _LIBC.prctl(_SET_SUBREAPER, 1)
    try:
        yield
    finally:
        with _lock:
            _runs -= 1
            if _runs == 0:
                _LIBC.prctl(_SET_SUBREAPER, before.value)


def _end(name: str) -> None:
    deadline = time.monotonic() + REAP_SECONDS
    killed: set[int] = set()
    # What a killed one had started comes to us in turn.
    while found := [pid for pid in _children() if _name_of(pid) == name]:
        for pid in found:
            _kill(pid, name)
        killed.update(found)
        if time.monotonic() > deadline:
            break
        time.sleep(0.001)
    for pid in killed:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


@cache
def kill_stale_descendants_once() -> None:
    kill_stale_descendants()


def kill_stale_descendants() -> int:
    """End what was started by runs that were killed themselves; how many."""
    ended = 0
    for pid in _everybody():
        name = _name_of(pid)
        if has_ended(name.rpartition(".")[0]):
            _kill(pid, name)
            ended += 1
    return ended


def _kill(pid: int, name: str) -> None:
    """Kill it if it is still the one: numbers are used again."""
    with suppress(OSError):
        descriptor = os.pidfd_open(pid)
        try:
            if _name_of(pid) == name:
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        finally:
            os.close(descriptor)


def _children() -> Iterator[int]:
    """Our own, that have not ended; there is nothing to look for if there are none at all."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return
    for pid in _everybody():
        with suppress(OSError, ValueError):
            # The second field is the name, in brackets, and may hold anything.
            fields = Path(f"/proc/{pid}/stat").read_text("latin-1").rpartition(")")[2].split()
            if fields[1:2] == [str(os.getpid())] and fields[0] not in "ZX":
                yield pid


def _everybody() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208


def _name_of(pid: int) -> str:
    """The run that a process descends from; empty for any other, and for those of other users."""
    try:
        with open(f"/proc/{pid}/environ", "rb", buffering=0) as file:  # noqa: PTH123
            words = file.read().split(b"\0")
    except OSError:
        return ""
    begin = f"{RUN_VARIABLE}=".encode()
    named = (word for word in words if word.startswith(begin))
    return next(named, begin)[len(begin) :].decode("ascii", "replace")

"""Descendants of a program, killed at its end even if they left its process group or session.

While a program runs, this process is a child subreaper (PR_SET_CHILD_SUBREAPER, prctl(2)), so
orphans become its children. Descendants are identified by the environment variable BOARDSAT_RUN. If
boardsat itself is killed, its next run finds and kills the descendants that are left.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
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
"""Time limit in seconds for descendants to end after SIGKILL."""

_SET_PDEATHSIG, _SET_CHILD_SUBREAPER, _GET_CHILD_SUBREAPER = 1, 36, 37
_LIBC = ctypes.CDLL(None)
_run_numbers = count(1)
_lock = threading.Lock()
_num_running = 0
_has_start_command = True


def set_parent_death_signal(number: signal.Signals) -> None:
    """Request a signal to this process when its parent ends (PR_SET_PDEATHSIG)."""
    _LIBC.prctl(_SET_PDEATHSIG, number)


@cache
def start_command() -> tuple[str, ...]:
    """Return the command prefix that lets the kernel kill a program when this process ends.

    It is empty without setpriv(1) or prlimit(1).
    """
    setpriv = shutil.which("setpriv")
    is_usable = _has_start_command and setpriv and prlimit_path()
    return (setpriv, "--pdeathsig", "KILL") if setpriv and is_usable else ()


def disable_start_command() -> None:
    """Let `start_command` return an empty prefix from now on."""
    global _has_start_command  # noqa: PLW0603
    _has_start_command = False
    start_command.cache_clear()


@cache
def prlimit_path() -> str:
    """Return the path of prlimit(1), which starts a program under limits. Empty without it."""
    return shutil.which("prlimit") or ""


@contextmanager
def kill_descendants_on_exit(environment: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield the environment of a program; kill its descendants at the end of the context."""
    run_name = f"{own_process_id()}.{next(_run_numbers)}"
    with _child_subreaper():
        try:
            yield {**environment, RUN_VARIABLE: run_name}
        finally:
            _kill_run(run_name)


@contextmanager
def _child_subreaper() -> Iterator[None]:
    """Make this process a child subreaper while programs run.

    The previous setting is restored, because at other times this process may itself fork.
    """
    global _num_running  # noqa: PLW0603
    setting = ctypes.c_int(0)
    with _lock:
        _num_running += 1
        if _num_running == 1:
            _LIBC.prctl(_GET_CHILD_SUBREAPER, ctypes.byref(setting))
            _LIBC.prctl(_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        with _lock:
            _num_running -= 1
            if _num_running == 0:
                _LIBC.prctl(_SET_CHILD_SUBREAPER, setting.value)


def _kill_run(run_name: str) -> None:
    deadline = time.monotonic() + REAP_SECONDS
    killed: set[int] = set()
    # The children of a killed process become children of this one in turn.
    while pids := [pid for pid in _children() if _run_name(pid) == run_name]:
        for pid in pids:
            _kill(pid, run_name)
        killed.update(pids)
        if time.monotonic() > deadline:
            break
        time.sleep(0.001)
    for pid in killed:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


@cache
def kill_stale_descendants_once() -> None:
    """Kill stale descendants at the first call of this process."""
    kill_stale_descendants()


def kill_stale_descendants() -> None:
    """Kill descendants of runs whose boardsat process has ended."""
    for pid in _all_pids():
        run_name = _run_name(pid)
        if has_ended(run_name.rpartition(".")[0]):
            _kill(pid, run_name)


def _kill(pid: int, run_name: str) -> None:
    """Kill a process unless its number has been reused."""
    with suppress(OSError):
        descriptor = os.pidfd_open(pid)
        try:
            if _run_name(pid) == run_name:
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        finally:
            os.close(descriptor)


def _children() -> Iterator[int]:
    """Yield the children of this process that have not ended."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return
    for pid in _all_pids():
        with suppress(OSError, ValueError):
            # The second field is the name in brackets, which may contain any character.
            fields = Path(f"/proc/{pid}/stat").read_text("latin-1").rpartition(")")[2].split()
            if fields[1:2] == [str(os.getpid())] and fields[0] not in "ZX":
                yield pid


def _all_pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208


def _run_name(pid: int) -> str:
    """Return the name of the run that a process descends from.

    Empty if it descends from none, or if the process belongs to another user.
    """
    try:
        with open(f"/proc/{pid}/environ", "rb", buffering=0) as file:  # noqa: PTH123
            entries = file.read().split(b"\0")
    except OSError:
        return ""
    prefix = f"{RUN_VARIABLE}=".encode()
    matches = (entry for entry in entries if entry.startswith(prefix))
    return next(matches, prefix)[len(prefix) :].decode("ascii", "replace")

"""The name of this process on what it may leave behind, and whether a process of a name has ended.

Only those are judged that we can see: of this machine, since it started, in our own numbering.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_MACHINE = Path("/etc/machine-id")
_ENDED = "ZX"
"""States of a process that has ended, and that nobody has asked about yet."""


def own_name() -> str:
    """The machine, its start, our number and when we began, for numbers are used again.

    Between them stand dots, and there are none within: it is part of names of files too.
    """
    return ".".join((*_here(), str(os.getpid()), _state(os.getpid())[1]))


def has_ended(name: str) -> bool:
    """Whether that was a process of this machine, and is no more."""
    host, *rest = name.split(".")
    if host != _here()[0] or len(rest) != 4:
        return False
    boot, numbering, pid, began = rest
    if boot != _here()[1]:
        return True
    # In a container numbers mean other processes than outside.
    return numbering == _here()[2] and not _lives(pid, began)


@cache
def _here() -> tuple[str, str, str]:
    """This machine, its start, and the numbering of processes that we see."""
    # Machines that were copied share one of the two, hardly both.
    about = f"{_text(_MACHINE)} {os.uname().nodename}"
    host = hashlib.sha256(about.encode()).hexdigest()[:12]
    boot = _text(_BOOT).replace("-", "")[:12]
    try:
        numbering = Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        numbering = 0
    return host, boot or "0", str(numbering)


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _lives(pid: str, began: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:
        # Of another user, whose processes may be hidden from us.
        pass
    state, then = _state(pid)
    return not state or (state not in _ENDED and then == began)


def _state(pid: int | str) -> tuple[str, str]:
    """The state of a process, and when it began in ticks of the kernel; empty where not told."""
    # The second field is the name, in brackets, and may hold anything.
    fields = _text(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return (fields[0], fields[19]) if len(fields) > 19 else ("", "")

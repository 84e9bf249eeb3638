"""Identifiers of processes that stay unique: machine, boot, PID namespace, PID and start time.

Temporary files and containers have the identifier of their process in their names, so that those of
ended processes can be removed. Only processes of this machine, boot and PID namespace can be tested
for having ended.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_MACHINE_ID = Path("/etc/machine-id")
_ENDED_STATES = "ZX"
"""States in /proc of a process that has ended and was not waited for yet."""


def own_process_id() -> str:
    """Return the identifier of this process: five fields without dots, separated by dots."""
    return ".".join((*_surroundings(), str(os.getpid()), _process_state(os.getpid())[1]))


def has_ended(process_id: str) -> bool:
    """Return whether a process is known to have ended."""
    fields = process_id.split(".")
    own_host, own_boot, own_namespace = _surroundings()
    if len(fields) != 5 or fields[0] != own_host:
        return False
    _, boot, namespace, pid, start_time = fields
    if boot != own_boot:
        return True
    # PIDs of another namespace are meaningless here.
    return namespace == own_namespace and not _is_alive(pid, start_time)


@cache
def _surroundings() -> tuple[str, str, str]:
    """Return identifiers of this machine, its boot, and the PID namespace."""
    import hashlib

    # Cloned machines have one of the two in common, but hardly both.
    description = f"{_read_text(_MACHINE_ID)} {os.uname().nodename}"
    host = hashlib.sha256(description.encode()).hexdigest()[:12]
    boot = _read_text(_BOOT_ID).replace("-", "")[:12]
    try:
        namespace = Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        namespace = 0
    return host, boot or "0", str(namespace)


def _read_text(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _is_alive(pid: str, start_time: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:
        # The process belongs to another user, and /proc may hide it.
        pass
    state, actual_start_time = _process_state(pid)
    return not state or (state not in _ENDED_STATES and actual_start_time == start_time)


def _process_state(pid: int | str) -> tuple[str, str]:
    """Return the state of a process and its start in ticks of the kernel; empty if unknown."""
    # The second field is the name, in brackets, and may contain any character.
    fields = _read_text(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return (fields[0], fields[19]) if len(fields) > 19 else ("", "")

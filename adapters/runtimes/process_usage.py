"""Time and memory of a running process, from /proc."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

_PEAKS = re.compile(rb"\nVmPeak:\s*(\d+) kB\n(?:.*\n)*?VmHWM:\s*(\d+) kB")
_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class PeakMemory:
    """Peak memory of a process so far, in bytes."""

    resident: int = 0
    virtual: int = 0
    """Address space."""


def peak_memory(pid: int) -> PeakMemory | None:
    """Return the peak memory of a process. None if it has ended.

    The kernel's report at the end of a program cannot be used: it includes pages of the parent.
    """
    try:
        # A Path would take longer than the kernel, at every look.
        with open(f"/proc/{pid}/status", "rb", buffering=0) as file:  # noqa: PTH123
            text = file.read()
    except OSError:
        return None
    match = _PEAKS.search(text)
    return PeakMemory(1024 * int(match[2]), 1024 * int(match[1])) if match else None


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process and of those of its children that have ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    # The second field is the name, in brackets, and may hold anything.
    return sum(map(int, text.rpartition(")")[2].split()[11:15])) / _CLOCK_TICKS

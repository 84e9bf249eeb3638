"""Machine that executes runs: its name, its CPU model and its load."""

from __future__ import annotations

import os
import platform
import socket
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from boardsat.campaign.runner.records import CLOCK, Execution


@cache
def host() -> str:
    """Return the name of this machine."""
    return socket.gethostname()


@cache
def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    entries = dict(line.partition(":")[::2] for line in lines)
    models = (value for key, value in entries.items() if key.strip() == "model name")
    return next(models, platform.machine()).strip()


def _load() -> float | None:
    """Return the load average of the last minute per core: runnable processes, the run included."""
    try:
        return round(os.getloadavg()[0] / (os.cpu_count() or 1), 2)
    except OSError:
        return None


def no_execution() -> Execution:
    """Return the execution of a run that was not begun or has left no record."""
    return Execution(host=host(), clock=CLOCK)


def execution(command: tuple[str, ...], statistics: Mapping[str, float]) -> Execution:
    """Return the execution of a run that has ended just now."""
    return Execution(command, dict(statistics), host(), _processor(), _load(), CLOCK)

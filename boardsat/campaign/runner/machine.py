"""The machine that a run is on: its name, the model of its processor, and its load."""

from __future__ import annotations

import os
import platform
import socket
from functools import cache
from pathlib import Path


@cache
def host() -> str:
    return socket.gethostname()


@cache
def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    about = dict(line.partition(":")[::2] for line in lines)
    models = (value for key, value in about.items() if key.strip() == "model name")
    return next(models, platform.machine()).strip()


def load() -> float | None:
    """Return the load average of the last minute per core: runnable processes, the run included."""
    try:
        return round(os.getloadavg()[0] / (os.cpu_count() or 1), 2)
    except OSError:
        return None

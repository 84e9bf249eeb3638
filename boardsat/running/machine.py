"""The machine that a run is on: its name, and the model of its processor."""

from __future__ import annotations

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

"""Helpers for tests of written files."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from helpers import processes

PROGRAM = [sys.executable, "-m", "boardsat"]
QUEENS = ["cnf", "queens", "-n", "8"]
LONG = ["cnf", "tour", "--enc", "direct", "-n", "24"]
"""A file of gigabytes, so that there is time to interrupt its writing."""


def program(*arguments: object, **options: object) -> subprocess.CompletedProcess[bytes]:
    return processes.run([*PROGRAM, *map(str, arguments)], capture_output=True, **options)


def fill(folder: Path, but: int = 0) -> None:
    """Fill the disk of a folder except for `but` bytes."""
    (folder / "fill").write_bytes(b"x" * (shutil.disk_usage(folder).free - but))

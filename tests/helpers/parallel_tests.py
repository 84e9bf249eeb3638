"""Coordination of tests that run in parallel: locks, and results shared by all processes."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def alone(task: str) -> Iterator[None]:
    """Hold a machine-wide lock on the task, shared by all test runs."""
    with Path(tempfile.gettempdir(), f"boardsat-tests-{task}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def once(name: str, factory: pytest.TempPathFactory, fill: Callable[[Path], object]) -> Path:
    """A folder that the first process of this run which needs it fills, for all to read."""
    top = factory.getbasetemp()
    # Each process has its own below that of the run.
    top = top.parent if "PYTEST_XDIST_WORKER" in os.environ else top
    folder, filled = top / name, top / f"{name}.filled"
    with (top / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not filled.exists():
            folder.mkdir()
            fill(folder)
            filled.touch()
    return folder

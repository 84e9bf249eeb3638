"""Tests that run side by side: what only one of them may do at a time."""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone(task: str) -> Iterator[None]:
    """Nobody else on this machine does the task meanwhile, in this run of the tests or another."""
    with Path(tempfile.gettempdir(), f"boardsat-tests-{task}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

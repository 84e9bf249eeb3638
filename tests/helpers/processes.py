"""Programs that tests start: each has a time limit, and is killed with its children."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LIMIT = 120
"""Time limit in seconds for a program that hangs; far more than any needs on a busy machine."""


def run(
    command: Sequence[str | bytes | Path] | str,
    *,
    input: str | bytes | None = None,
    check: bool = False,
    capture_output: bool = False,
    timeout: float = LIMIT,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """Run a program like subprocess.run, with a time limit at which its children are killed too."""
    if capture_output:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if input is not None:
        options["stdin"] = subprocess.PIPE
    # A new process group: communicate() would wait for a grandchild that holds a pipe open.
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            out, err = process.communicate(input, timeout)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    completed = subprocess.CompletedProcess(command, process.returncode, out, err)
    if check:
        completed.check_returncode()
    return completed

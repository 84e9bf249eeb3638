"""Programs that tests start: each has a limit of its own, and ends with all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LIMIT = 120
"""Seconds: far more than any takes on a busy machine. It says what hung, it measures nothing."""


def run(
    command: Sequence[str | bytes | Path] | str,
    *,
    input: str | bytes | None = None,
    check: bool = False,
    capture_output: bool = False,
    timeout: float = LIMIT,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """As subprocess.run, but never without a limit, which also ends what its children began."""
    if capture_output:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if input is not None:
        options["stdin"] = subprocess.PIPE
    # A group of its own: a pipe that a grandchild holds would keep us waiting after the limit.
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            out, err = process.communicate(input, timeout)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    done = subprocess.CompletedProcess(command, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done

"""What a Dask worker does for a campaign: a process of its own runs the jobs, as on one machine.

Limits and signals need the main thread of a process, and it ends with the Dask worker.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from boardsat.adapters.runtimes import child_python
from boardsat.campaign.runner import machine
from boardsat.campaign.runner.cluster import cores
from boardsat.campaign.runner.records import job_from
from boardsat.campaign.runner.worker_process import Said, WorkerProcess

ENDS = "BOARDSAT_ENDS"
"""When the host will end this Dask worker, in seconds since 1970."""
GREETING = "boardsat.campaign.runner.cluster.handshake"
GREETING_SECONDS = 120.0
LOOK_SECONDS = 0.5
"""Between looks at whether anybody still waits for a run."""

_mine = threading.local()


@dataclass(frozen=True)
class Greeted:
    """A worker as it tells of itself."""

    host: str
    fault: str
    """Why it cannot be used; empty where it can."""
    left: float | None
    """Seconds until it closes; None for a worker that does not."""


def greet(question: str, folder: str) -> Greeted:
    asked = subprocess.run(
        child_python.module_command(GREETING),
        input=question,
        capture_output=True,
        text=True,
        cwd=_existing(folder),
        timeout=GREETING_SECONDS,
        check=False,
        env=child_python.child_environment(),
    )
    try:
        fault = str(json.loads(asked.stdout))
    except ValueError:
        fault = (asked.stderr.strip().splitlines() or [f"exit code {asked.returncode}"])[-1]
    return Greeted(machine.host(), fault, _left())


def _left() -> float | None:
    from dask.distributed import get_worker

    times = []
    if ends := os.environ.get(ENDS):
        times.append(float(ends) - time.time())
    if lifetime := get_worker().lifetime:
        import psutil

        times.append(lifetime - (time.time() - psutil.Process().create_time()))
    return min(times, default=None)


def perform(line: str, folder: str) -> tuple[str, str]:
    """The record of a job as a line; or none, and why."""
    worker = _worker(folder)
    worker.begin(job_from(line))
    while True:
        try:
            _, said = _mine.said.get(timeout=LOOK_SECONDS)
        except queue.Empty:
            if _is_awaited():
                continue
            worker.stop()
            said = ""
        worker.job = None
        if said:
            return said, ""
        _mine.worker = None
        return "", f"exit code {worker.wait()}"


def _worker(folder: str) -> WorkerProcess:
    """The process of this thread: one for many runs, for it takes a while to start."""
    known = getattr(_mine, "worker", None)
    if isinstance(known, WorkerProcess):
        if _mine.folder == folder and known.process.poll() is None:
            return known
        known.stop()
        known.wait()
    if not hasattr(_mine, "core"):
        _mine.core = cores.claim()
    said: queue.Queue[Said] = queue.Queue()
    _mine.said, _mine.folder = said, folder
    _mine.worker = made = WorkerProcess(_mine.core, said, _existing(folder))
    return made


def _existing(folder: str) -> str | None:
    """The files of solvers are seen from there, if this host has it."""
    return folder if Path(folder).is_dir() else None


def _is_awaited() -> bool:
    """Whether the scheduler still wants this run: a command that is killed cannot tell us."""
    from dask.distributed import get_worker

    worker = get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    return task is not None and task.state == "executing"

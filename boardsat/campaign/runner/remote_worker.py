"""Functions that a Dask worker executes: the handshake with a campaign, and its runs.

Each thread of a Dask worker starts a separate process for its runs, as the local pool does: limits
and signals need the main thread of a process. The process ends with the Dask worker.

The handshake compares the versions of boardsat, Python and every solver with those of the campaign.
It runs in a separate process as well, `python -m boardsat.campaign.runner.remote_worker`, with JSON
on standard input.
"""

from __future__ import annotations

import json
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardsat.adapters.runtimes import child_python
from boardsat.base.errors import BoardsatError
from boardsat.campaign.runner.pool import WorkerLine, WorkerProcess
from boardsat.campaign.runner.records import host_name, job_from
from boardsat.campaign.runner.solver_selection import SolverConfig, can_check_proofs, select_solver
from boardsat.version import version

END_TIME_VARIABLE = "BOARDSAT_ENDS"
"""Environment variable: time at which the host ends this Dask worker, in seconds since 1970."""
MODULE = "boardsat.campaign.runner.remote_worker"
HANDSHAKE_SECONDS = 120.0
"""Time limit of the handshake in seconds."""
POLL_SECONDS = 0.5
"""Seconds between checks whether the campaign still waits for a run."""

_thread = threading.local()
_claimed_cores: list[socket.socket] = []
"""Sockets, one for each claimed core, that stay open until this process ends."""


@dataclass(frozen=True)
class HandshakeReply:
    """Reply of a worker to the handshake: a description of the worker."""

    host: str
    fault: str
    """Reason why the worker cannot be used. Empty if it can."""
    seconds_left: float | None
    """Seconds until the worker closes. None if it does not."""


def handshake_request(configs: Iterable[SolverConfig], proof: bool) -> str:
    """Return the versions of boardsat, Python and the solvers that a worker must have, as JSON."""
    request = {
        "boardsat": version(),
        "python": _python(),
        "solvers": [
            [identity.name, identity.runtime, identity.version, identity.setup]
            for identity in (config.identity for config in configs)
        ],
        "proof": proof,
    }
    return json.dumps(request)


def incompatibility(request: dict[str, Any]) -> str:
    """Return why this host cannot do the runs, with the remedy. Empty if it can."""
    if request["boardsat"] != version():
        return f"boardsat is {version()}, not {request['boardsat']}; install the same version there"
    if request["python"] != _python():
        return f"Python is {_python()}, not {request['python']}; use the same version there"
    for name, runtime, expected_version, setup in request["solvers"]:
        if fault := _solver_incompatibility(name, runtime, expected_version, setup):
            return fault
    if request["proof"] and not can_check_proofs():
        return "drat-trim cannot run there, so proofs cannot be checked"
    return ""


def _solver_incompatibility(name: str, runtime: str, expected_version: str, setup: str) -> str:
    try:
        config = select_solver(name, runtime, checker=False)
    except (BoardsatError, OSError) as error:
        return f"{name}: {error}"
    if config.identity.version != expected_version:
        return (
            f"{name} is {config.identity.version}, not {expected_version}; "
            "install the same version there"
        )
    if config.identity.setup != setup:
        return f"the solver file or the image of {name} differs; copy it from here"
    return ""


def _python() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def greet(request: str, folder: str) -> HandshakeReply:
    """Return the reply of this Dask worker to the request of a campaign in the folder."""
    process = subprocess.run(
        child_python.module_command(MODULE),
        input=request,
        capture_output=True,
        text=True,
        cwd=_existing_folder(folder),
        timeout=HANDSHAKE_SECONDS,
        check=False,
        env=child_python.child_environment(),
    )
    try:
        fault = str(json.loads(process.stdout))
    except ValueError:
        fault = (process.stderr.strip().splitlines() or [f"exit code {process.returncode}"])[-1]
    return HandshakeReply(host_name(), fault, _seconds_left())


def _seconds_left() -> float | None:
    from dask.distributed import get_worker

    times = []
    if ends := os.environ.get(END_TIME_VARIABLE):
        times.append(float(ends) - time.time())
    if lifetime := get_worker().lifetime:
        import psutil

        times.append(lifetime - (time.time() - psutil.Process().create_time()))
    return min(times, default=None)


def perform(line: str, folder: str) -> tuple[str, str]:
    """Run a job; return the line of its record and "", or "" and the reason why there is none."""
    worker = _worker(folder)
    worker.begin(job_from(line))
    while True:
        try:
            _, record_line = _thread.lines.get(timeout=POLL_SECONDS)
        except queue.Empty:
            if _is_awaited():
                continue
            worker.stop()
            record_line = ""
        worker.job = None
        if record_line:
            return record_line, ""
        _thread.worker = None
        return "", f"exit code {worker.wait()}"


def _worker(folder: str) -> WorkerProcess:
    """Return the process of this thread, which is reused, because its start takes long."""
    worker = getattr(_thread, "worker", None)
    if isinstance(worker, WorkerProcess):
        if _thread.folder == folder and worker.process.poll() is None:
            return worker
        worker.stop()
        worker.wait()
    if not hasattr(_thread, "core"):
        _thread.core = claim_core()
    lines: queue.Queue[WorkerLine] = queue.Queue()
    _thread.lines, _thread.folder = lines, folder
    _thread.worker = worker = WorkerProcess(_thread.core, lines, _existing_folder(folder))
    return worker


def claim_core() -> int | None:
    """Reserve the first core of this host that no worker of the user has. None if all are taken.

    Workers of a cluster start independently. A core is claimed by a socket in the abstract
    namespace, which the kernel releases when its process ends, however it ends.
    """
    for core in sorted(os.sched_getaffinity(0)):
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            claim.bind(f"\0boardsat-{os.getuid()}-core-{core}")
        except OSError:
            claim.close()
            continue
        _claimed_cores.append(claim)
        return core
    return None


def _existing_folder(folder: str) -> str | None:
    """Return the folder if this host has it: paths of solver files are relative to it."""
    return folder if Path(folder).is_dir() else None


def _is_awaited() -> bool:
    """Return whether the scheduler still waits for this run: a killed command cannot cancel it."""
    from dask.distributed import get_worker

    worker = get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    return task is not None and task.state == "executing"


if __name__ == "__main__":
    print(json.dumps(incompatibility(json.load(sys.stdin))))

"""A worker as a process: it is given jobs one after the other, and a thread waits for records."""

from __future__ import annotations

import queue
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import replace

from boardsat.adapters.runtimes import child_python
from boardsat.campaign.runner.records import Job, to_line

GRACE = 20.0
"""Seconds for a worker to stop its solver and remove its container."""

WORKER = "boardsat.campaign.runner.worker"

Said = tuple["WorkerProcess", str]
"""Who it was, and the line of a record; an empty one from a worker that has ended."""


class WorkerProcess:
    """Runs jobs on one core, or on any; paths are seen from a folder, or from ours."""

    def __init__(
        self,
        core: int | None,
        said: queue.Queue[Said],
        folder: str | None = None,
        module: str = WORKER,
    ) -> None:
        self.core = core
        self.job: Job | None = None
        # Ctrl-C on the terminal is for us alone; we tell the workers.
        self.process = subprocess.Popen(
            child_python.module_command(module),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            cwd=folder,
            env=child_python.child_environment(),
        )
        self.thread = threading.Thread(target=self._listen, args=(said,), daemon=True)
        self.thread.start()

    def _listen(self, said: queue.Queue[Said]) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            # One that is killed may leave half a line.
            if line.endswith("\n"):
                said.put((self, line))
        said.put((self, ""))

    def begin(self, job: Job) -> None:
        assert self.process.stdin is not None
        self.job = job
        # One that has died is found by its listener, whatever happens here.
        with suppress(BrokenPipeError):
            self.process.stdin.write(to_line(replace(job, core=self.core)))
            self.process.stdin.flush()

    def stop(self) -> None:
        if self.job is not None:
            self.process.send_signal(signal.SIGTERM)
        with suppress(BrokenPipeError):
            assert self.process.stdin is not None
            self.process.stdin.close()

    def wait(self) -> int:
        """Its exit code."""
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.thread.join()
        return self.process.returncode

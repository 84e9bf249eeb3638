"""Local pool: runs jobs in parallel on this machine, each worker process on a separate core."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from boardsat.adapters.runtimes import child_python
from boardsat.base.errors import SolverError
from boardsat.campaign.runner.job_queue import (
    JobQueue,
    JobSource,
    RunListener,
    lost,
    retry,
)
from boardsat.campaign.runner.records import Job, record_from, to_line
from boardsat.campaign.runner.store import Store

STOP_SECONDS = 20.0
"""Seconds that a worker has to stop its solver and to remove the container, before it is killed."""

WORKER = "boardsat.campaign.runner.worker"

WorkerLine = tuple["WorkerProcess", str]
"""Worker, and the line of a record; an empty line after the worker has ended."""


class WorkerProcess:
    """Process that runs jobs one after the other; a thread waits for its records."""

    def __init__(
        self,
        core: int | None,
        lines: queue.Queue[WorkerLine],
        folder: str | None = None,
        module: str = WORKER,
    ) -> None:
        self.core = core
        self.job: Job | None = None
        # Ctrl-C on the terminal reaches only this process, which then stops the workers.
        self.process = subprocess.Popen(
            child_python.module_command(module),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            cwd=folder,
            env=child_python.child_environment(),
        )
        self.thread = threading.Thread(target=self._listen, args=(lines,), daemon=True)
        self.thread.start()

    def _listen(self, lines: queue.Queue[WorkerLine]) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            # A killed worker may leave half a line.
            if line.endswith("\n"):
                lines.put((self, line))
        lines.put((self, ""))

    def begin(self, job: Job) -> None:
        assert self.process.stdin is not None
        self.job = job
        # The listener notices a worker that has died.
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
        """Wait until the process has ended, and kill it if that takes too long.

        Return its exit code.
        """
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.thread.join()
        return self.process.returncode


def cores_of(num_jobs: int | None) -> list[int]:
    """Return the cores to use, one for each of `num_jobs` parallel runs. All cores for None.

    Runs that share a core would distort the times of each other.
    """
    cores = sorted(os.sched_getaffinity(0))
    if num_jobs is not None and num_jobs > len(cores):
        raise SolverError(
            f"the number of jobs must be at most the number of cores (got {num_jobs})",
            f"give at most {len(cores)}",
            "--jobs",
        )
    return cores[:num_jobs]


class Pool:
    """Worker processes, each started when the first job needs it."""

    def __init__(
        self, cores: list[int], store: Store, listener: RunListener, module: str = WORKER
    ) -> None:
        self.queue, self.module = JobQueue(store, listener), module
        self.free: list[int | None] = list(cores)
        self.lines: queue.Queue[WorkerLine] = queue.Queue()
        self.workers: list[WorkerProcess] = []

    def run(self, source: JobSource) -> None:
        """Run every job of the source, which is notified of each record."""
        self._fill(source)
        while any(worker.job for worker in self.workers):
            try:
                worker, line = self.lines.get(timeout=0.2)
            except queue.Empty:
                self.queue.listener.tick()
                continue
            job, worker.job = worker.job, None
            if line and job is not None:
                self.queue.keep(source, job, record_from(line))
            elif not line:
                self._replace(source, worker, job)
            self._fill(source)

    def _replace(self, source: JobSource, worker: WorkerProcess, job: Job | None) -> None:
        """Replace a dead worker: free its core, and retry its job."""
        code = worker.wait()
        self.workers.remove(worker)
        self.free.append(worker.core)
        if job is None:
            return
        if retried_job := retry(job):
            self._start(retried_job)
        else:
            self.queue.keep(source, job, lost(job, f"exit code {code}"))

    def _fill(self, source: JobSource) -> None:
        """Give every idle worker a job, as long as there are any."""
        while self.free or self._idle() is not None:
            job = self.queue.next(source)
            if job is None:
                return
            self._start(job)
            self.queue.listener.began(job)

    def _idle(self) -> WorkerProcess | None:
        return next((worker for worker in self.workers if worker.job is None), None)

    def _start(self, job: Job) -> None:
        worker = self._idle()
        if worker is None:
            worker = WorkerProcess(self.free.pop(0), self.lines, module=self.module)
            self.workers.append(worker)
        worker.begin(job)

    def close(self) -> None:
        """Stop all workers and wait until they have ended."""
        for worker in self.workers:
            worker.stop()
        for worker in self.workers:
            worker.wait()


@contextmanager
def open_pool(
    cores: list[int], store: Store, listener: RunListener, module: str = WORKER
) -> Iterator[Pool]:
    """Open a pool whose worker processes run the module; stop them at the end."""
    pool = Pool(cores, store, listener, module)
    try:
        yield pool
    finally:
        with ignore_signals():
            pool.close()


@contextmanager
def ignore_signals() -> Iterator[None]:
    """Ignore signals, such as a second Ctrl-C, while solvers are being stopped."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)

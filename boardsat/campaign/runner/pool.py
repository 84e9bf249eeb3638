"""Runs jobs side by side on this machine, each worker on its own core; stored results are not
run again.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from boardsat.base.errors import SolverError
from boardsat.campaign.runner.job_queue import TRIES, Books, JobSource, Watch, lost
from boardsat.campaign.runner.records import Job, record_from
from boardsat.campaign.runner.store import Store
from boardsat.campaign.runner.worker_process import WORKER, Said, WorkerProcess


def cores_of(wanted: int | None) -> list[int]:
    """As many cores as runs may go on at once: two on one core would disturb each other."""
    mine = sorted(os.sched_getaffinity(0))
    if wanted is not None and wanted > len(mine):
        raise SolverError(
            f"{wanted} runs at once would share cores", f"there are {len(mine)} here", "--jobs"
        )
    return mine[:wanted]


class Pool:
    """Workers that start when the first job needs them."""

    def __init__(self, cores: list[int], store: Store, watch: Watch, module: str = WORKER) -> None:
        self.books, self.module = Books(store, watch), module
        self.free: list[int | None] = list(cores)
        self.done: queue.Queue[Said] = queue.Queue()
        self.workers: list[WorkerProcess] = []

    def run(self, source: JobSource) -> None:
        """Everything that the source has; it is told what came of it."""
        self._fill(source)
        while any(worker.job for worker in self.workers):
            try:
                worker, line = self.done.get(timeout=0.2)
            except queue.Empty:
                self.books.watch.tick()
                continue
            job, worker.job = worker.job, None
            if line and job is not None:
                self.books.keep(source, job, record_from(line))
            elif not line:
                self._replace(source, worker, job)
            self._fill(source)

    def _replace(self, source: JobSource, worker: WorkerProcess, job: Job | None) -> None:
        """After a worker has died: another one takes its core, and its job."""
        code = worker.wait()
        self.workers.remove(worker)
        self.free.append(worker.core)
        if job is None:
            return
        if job.tries < TRIES:
            self._start(replace(job, tries=job.tries + 1))
        else:
            self.books.keep(source, job, lost(job, f"exit code {code}"))

    def _fill(self, source: JobSource) -> None:
        """Give every idle worker a job, as long as there are any."""
        while self.free or self._idle() is not None:
            job = self.books.next(source)
            if job is None:
                return
            self._start(job)
            self.books.watch.began(job)

    def _idle(self) -> WorkerProcess | None:
        return next((worker for worker in self.workers if worker.job is None), None)

    def _start(self, job: Job) -> None:
        worker = self._idle()
        if worker is None:
            worker = WorkerProcess(self.free.pop(0), self.done, module=self.module)
            self.workers.append(worker)
        worker.begin(job)

    def close(self) -> None:
        """Nothing is left running."""
        for worker in self.workers:
            worker.stop()
        for worker in self.workers:
            worker.wait()


@contextmanager
def pool_of(cores: list[int], store: Store, watch: Watch, module: str = WORKER) -> Iterator[Pool]:
    """Its workers run the module, which performs jobs."""
    opened = Pool(cores, store, watch, module)
    try:
        yield opened
    finally:
        with undisturbed():
            opened.close()


@contextmanager
def undisturbed() -> Iterator[None]:
    """A second Ctrl-C must not leave running what the first one stops."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    usual = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)

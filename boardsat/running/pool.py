"""Runs jobs in parallel, each worker on its own core, and reuses stored results."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Protocol

from boardsat.adapters.errors import AdapterError
from boardsat.running.records import Job, RunRecord, record_from, same_answer, to_line
from boardsat.running.store import Store

GRACE = 20.0
"""Seconds for a worker to stop its solver and remove its container."""

WORKER = "boardsat.running.worker"


class Watch(Protocol):
    """Whoever shows how far it is."""

    def began(self, job: Job) -> None: ...

    def ended(self, job: Job, record: RunRecord) -> None: ...

    def tick(self) -> None: ...


class JobSource(Protocol):
    """Whoever knows what to run."""

    def next(self) -> Job | None:
        """None where nothing can be run now, and at the end."""

    def ended(self, job: Job, record: RunRecord) -> None: ...


def cores(wanted: int | None) -> list[int]:
    """As many cores as runs may go on at once: two on one core would disturb each other."""
    mine = sorted(os.sched_getaffinity(0))
    if wanted is not None and wanted > len(mine):
        raise AdapterError(
            f"{wanted} runs at once would share cores", f"there are {len(mine)} here", "--jobs"
        )
    return mine[:wanted]


class _Worker:
    """A process that runs jobs on one core, and a thread that waits for its records."""

    def __init__(self, core: int, done: queue.Queue[tuple[_Worker, str]]) -> None:
        self.core = core
        self.job: Job | None = None
        # Ctrl-C on the terminal is for us alone; we tell the workers.
        self.process = subprocess.Popen(
            [sys.executable, "-m", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.thread = threading.Thread(target=self._listen, args=(done,), daemon=True)
        self.thread.start()

    def _listen(self, done: queue.Queue[tuple[_Worker, str]]) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            done.put((self, line))
        done.put((self, ""))

    def begin(self, job: Job) -> None:
        assert self.process.stdin is not None
        self.job = job
        self.process.stdin.write(to_line(replace(job, core=self.core)))
        self.process.stdin.flush()

    def stop(self) -> None:
        if self.job is not None:
            self.process.send_signal(signal.SIGTERM)
        with suppress(BrokenPipeError):
            assert self.process.stdin is not None
            self.process.stdin.close()

    def wait(self) -> None:
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.thread.join()


class Pool:
    """Workers that start when the first job needs them."""

    def __init__(self, cores: list[int], store: Store, watch: Watch) -> None:
        self.cores, self.store, self.watch = cores, store, watch
        self.done: queue.Queue[tuple[_Worker, str]] = queue.Queue()
        self.workers: list[_Worker] = []
        self.twins: dict[str, list[Job]] = {}

    def run(self, source: JobSource) -> None:
        """Everything that the source has; it is told what came of it."""
        self._fill(source)
        while any(worker.job for worker in self.workers):
            try:
                worker, line = self.done.get(timeout=0.2)
            except queue.Empty:
                self.watch.tick()
                continue
            job, worker.job = worker.job, None
            if job is None or not line:
                raise AdapterError("a worker ended unexpectedly", "run it again")
            record = record_from(line)
            self.store.keep(record)
            for each in (job, *self.twins.pop(job.key)):
                self._tell(source, each, record)
            self._fill(source)

    def _fill(self, source: JobSource) -> None:
        """Give every idle worker a job, as long as there are any."""
        while (worker := self._idle()) is not None or len(self.workers) < len(self.cores):
            job = source.next()
            if job is None:
                return
            if job.key in self.twins:
                # The same formula under another name is running.
                self.twins[job.key].append(job)
            elif (record := self.store.find(job)) is not None:
                self._tell(source, job, record)
            else:
                self._begin(worker, job)

    def _idle(self) -> _Worker | None:
        return next((worker for worker in self.workers if worker.job is None), None)

    def _begin(self, worker: _Worker | None, job: Job) -> None:
        if worker is None:
            worker = _Worker(self.cores[len(self.workers)], self.done)
            self.workers.append(worker)
        self.twins[job.key] = []
        worker.begin(job)
        self.watch.began(job)

    def _tell(self, source: JobSource, job: Job, record: RunRecord) -> None:
        named = same_answer(record, job)
        source.ended(job, named)
        self.watch.ended(job, named)

    def close(self) -> None:
        """Nothing is left running."""
        for worker in self.workers:
            worker.stop()
        for worker in self.workers:
            worker.wait()


@contextmanager
def pool(cores: list[int], store: Store, watch: Watch) -> Iterator[Pool]:
    opened = Pool(cores, store, watch)
    try:
        yield opened
    finally:
        with _undisturbed():
            opened.close()


@contextmanager
def _undisturbed() -> Iterator[None]:
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

"""Runs jobs side by side on this machine, each worker on its own core; stored results are not
run again.
"""

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

from boardsat.adapters.answer import End
from boardsat.adapters.errors import AdapterError
from boardsat.running import machine
from boardsat.running.records import (
    Job,
    RunRecord,
    record_from,
    same_answer,
    to_line,
    unanswered,
)
from boardsat.running.store import Store

TRIES = 3
"""So often a job is begun whose worker dies."""

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


def cores_of(wanted: int | None) -> list[int]:
    """As many cores as runs may go on at once: two on one core would disturb each other."""
    mine = sorted(os.sched_getaffinity(0))
    if wanted is not None and wanted > len(mine):
        raise AdapterError(
            f"{wanted} runs at once would share cores", f"there are {len(mine)} here", "--jobs"
        )
    return mine[:wanted]


def lost(job: Job, how: str) -> RunRecord:
    """The record of a job that has cost all its workers their lives."""
    reason = f"lost: its worker died {job.tries} times ({how} at last)"
    return unanswered(job, reason=reason, end=End.CRASH, host=machine.host())


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
            # One that is killed may leave half a line.
            if line.endswith("\n"):
                done.put((self, line))
        done.put((self, ""))

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
        self.store, self.watch = store, watch
        self.free = list(cores)
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
            if line and job is not None:
                self._keep(source, job, record_from(line))
            elif not line:
                self._replace(source, worker, job)
            self._fill(source)

    def _keep(self, source: JobSource, job: Job, record: RunRecord) -> None:
        self.store.keep(record)
        for each in (job, *self.twins.pop(job.key)):
            self._tell(source, each, record)

    def _replace(self, source: JobSource, worker: _Worker, job: Job | None) -> None:
        """After a worker has died: another one takes its core, and its job."""
        worker.wait()
        code = worker.process.returncode
        self.workers.remove(worker)
        self.free.append(worker.core)
        if job is None:
            return
        if job.tries < TRIES:
            self._start(replace(job, tries=job.tries + 1))
        else:
            self._keep(source, job, lost(job, f"exit code {code}"))

    def _fill(self, source: JobSource) -> None:
        """Give every idle worker a job, as long as there are any."""
        while self.free or self._idle() is not None:
            job = source.next()
            if job is None:
                return
            if job.key in self.twins:
                # The same formula under another name is running.
                self.twins[job.key].append(job)
            elif (record := self.store.find(job)) is not None:
                self._tell(source, job, record)
            else:
                self.twins[job.key] = []
                self._start(job)
                self.watch.began(job)

    def _idle(self) -> _Worker | None:
        return next((worker for worker in self.workers if worker.job is None), None)

    def _start(self, job: Job) -> None:
        worker = self._idle()
        if worker is None:
            worker = _Worker(self.free.pop(0), self.done)
            self.workers.append(worker)
        worker.begin(job)

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
def pool_of(cores: list[int], store: Store, watch: Watch) -> Iterator[Pool]:
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

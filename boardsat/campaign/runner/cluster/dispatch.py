"""Dispatch jobs to the workers of a Dask scheduler, at most one for each core at a time.

A worker gets a run only if it has the same boardsat and solvers, and closes after the run must have
ended. Dask transports jobs and records, and reports which workers there are.
"""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from boardsat.base.errors import BoardsatError, SolverError
from boardsat.base.json_data import MalformedError
from boardsat.base.text import one_line, pluralize
from boardsat.campaign.runner.cluster.remote_worker import HandshakeReply, greet, perform
from boardsat.campaign.runner.job_queue import JobQueue, JobSource, lost, retry
from boardsat.campaign.runner.pool import ignore_signals
from boardsat.campaign.runner.records import Job, RunRecord, record_from, to_line

RESOURCE = "run"
"""What a worker has one of for every run that it may have at once."""
POLL_SECONDS = 1.0
"""Between looks at who is there."""
MAX_IDLE_WORKER_EXITS = 10
"""So many workers in a row may close before they have had a run."""
RESULT_SECONDS = 30.0
"""For a record to arrive that is ready."""


class WorkerProvider(Protocol):
    """Source of workers."""

    address: str

    def dashboard(self, client: Any) -> str:
        """Return the address of the scheduler's dashboard; empty if it has none."""

    def renew(self) -> None:
        """See to it that there are as many as were requested; called again and again."""

    def retire(self, addresses: list[str]) -> None:
        """These have too little time left for another run."""

    def absent(self) -> float | None:
        """Seconds to wait while there is none; None for as long as it takes."""


@dataclass(frozen=True)
class WorkerRequirements:
    """Requirements of a campaign on a worker."""

    handshake: str
    """Request of the handshake, see `remote_worker`."""
    max_run_seconds: float
    """Seconds that a run may take, with all that belongs to it."""
    max_runs: int | None = None
    """Runs at once; None for as many as the workers can."""


@dataclass
class _Worker:
    address: str
    slots: int
    reply: HandshakeReply | None = None
    closes: float | None = None
    """By our own clock."""
    busy: int = 0
    served: int = 0
    """Runs so far."""
    leaving: bool = False

    @property
    def host(self) -> str:
        return self.reply.host if self.reply else self.address

    def lasts(self, seconds: float) -> bool:
        return self.closes is None or time.monotonic() + seconds < self.closes

    def is_usable(self, seconds: float) -> bool:
        """Whether it may be given such a run, now or when it is free."""
        known = self.reply is not None and not self.reply.fault
        return known and not self.leaving and self.lasts(seconds)


@dataclass(frozen=True)
class _Sent:
    """Task that was sent to a worker."""

    future: Any
    worker: _Worker
    job: Job | None
    """None for the handshake."""


class Cluster:
    def __init__(
        self,
        client: Any,
        provider: WorkerProvider,
        requirements: WorkerRequirements,
        jobs: JobQueue,
        tell: Callable[[str], None],
    ) -> None:
        self.client, self.provider, self.requirements = client, provider, requirements
        self.queue, self.tell = jobs, tell
        self.folder = str(Path.cwd())
        self.workers: dict[str, _Worker] = {}
        self.without: set[str] = set()
        """Workers that have no resource for us."""
        self.refused = ""
        self.idle_exits = 0
        """Workers one after the other that were there, but not for long enough."""
        self.sent: dict[str, _Sent] = {}
        self.ended: queue.Queue[str] = queue.Queue()
        self.waiting: deque[Job] = deque()
        self.polled = -POLL_SECONDS
        self.served = time.monotonic()
        """When there was somebody to work for us."""

    def run(self, source: JobSource) -> None:
        """Everything that the source has; it is told what came of it."""
        if link := self.provider.dashboard(self.client):
            self.tell(f"{self.provider.address}: dashboard at {link}")
        while self._begin(source) or self._running():
            self._poll(source)
            try:
                key = self.ended.get(timeout=0.2)
            except queue.Empty:
                self.queue.listener.tick()
                continue
            if (sent := self.sent.pop(key, None)) is not None:
                self._settle(source, sent)

    def _running(self) -> int:
        return sum(worker.busy for worker in self.workers.values())

    def _begin(self, source: JobSource) -> bool:
        """Give every idle worker a job; whether some wait for a worker."""
        while self.waiting or self._fetch(source):
            worker = self._idle()
            if worker is None:
                return True
            job = self.waiting.popleft()
            worker.busy += 1
            worker.served += 1
            self._send(worker, job, perform, to_line(job), resources={RESOURCE: 1})
            if job.attempt.tries == 1:
                self.queue.listener.began(job)
        return False

    def _fetch(self, source: JobSource) -> bool:
        job = self.queue.next(source)
        if job is not None:
            self.waiting.append(job)
        return job is not None

    def _idle(self) -> _Worker | None:
        if self.requirements.max_runs is not None and self._running() >= self.requirements.max_runs:
            return None
        able = (each for each in self.workers.values() if each.busy < each.slots)
        return next(
            (each for each in able if each.is_usable(self.requirements.max_run_seconds)), None
        )

    def _send(
        self, worker: _Worker, job: Job | None, what: Callable[..., Any], text: str, **how: Any
    ) -> None:
        future = self.client.submit(
            what, text, self.folder, workers=[worker.address], pure=False, retries=0, **how
        )
        self.sent[future.key] = _Sent(future, worker, job)
        future.add_done_callback(lambda ended: self.ended.put(ended.key))

    def _settle(self, source: JobSource, sent: _Sent) -> None:
        self._check_scheduler()
        found: Any = None
        how = ""
        if sent.future.status == "finished":
            try:
                found = sent.future.result(timeout=RESULT_SECONDS)
            except Exception as error:  # whatever a worker or Dask could raise
                how = _error_line(error)
        elif sent.future.status == "error":
            how = _error_line(sent.future.exception(timeout=RESULT_SECONDS))
        else:
            how = f"Dask says {sent.future.status}"
        if sent.job is None:
            self._accept(sent.worker, found or HandshakeReply(sent.worker.address, how, None))
            return
        sent.worker.busy -= 1
        line, how = found or ("", how)
        record = _record(sent.job, line)
        if record is not None:
            self.queue.keep(source, sent.job, record)
        else:
            self._retry(source, sent.job, f"{how} on {sent.worker.host}")

    def _accept(self, worker: _Worker, reply: HandshakeReply) -> None:
        worker.reply = reply
        if reply.seconds_left is not None:
            worker.closes = time.monotonic() + reply.seconds_left
        if reply.fault:
            self.refused = f"the worker on {reply.host} cannot be used: {reply.fault}"
            self.tell(self.refused)

    def _retry(self, source: JobSource, job: Job, how: str) -> None:
        """After a worker has died: another one takes its job, if that was not too often."""
        if again := retry(job):
            self.waiting.append(again)
        else:
            self.queue.keep(source, job, lost(job, one_line(how)))

    def _poll(self, source: JobSource) -> None:
        """Who has come, who has gone, and who must go."""
        if time.monotonic() - self.polled < POLL_SECONDS:
            return
        self._check_scheduler()
        try:
            found = self.client.scheduler_info(n_workers=-1)["workers"]
        except Exception as error:  # whatever Dask makes of a scheduler that goes away now
            raise self._gone(_error_line(error)) from None
        self._remove_gone(source, found)
        for address, about in found.items():
            if address not in self.workers and not self._is_without(address, about):
                slots = min(int(about["resources"][RESOURCE]), about["nthreads"])
                self.workers[address] = worker = _Worker(address, slots)
                self._send(worker, None, greet, self.requirements.handshake)
        self._retire()
        self.provider.renew()
        self._check_progress(len(found))
        self.polled = time.monotonic()

    def _is_without(self, address: str, about: Any) -> bool:
        if int(about["resources"].get(RESOURCE, 0)) >= 1:
            return False
        if address not in self.without:
            self.without.add(address)
            self.tell(f"the worker at {address} is not used: it has no resource `{RESOURCE}`")
        return True

    def _remove_gone(self, source: JobSource, found: Any) -> None:
        """What workers did that have gone is done by others."""
        for address in [each for each in self.workers if each not in found]:
            gone = self.workers.pop(address)
            for key in [key for key, sent in self.sent.items() if sent.worker is gone]:
                sent = self.sent.pop(key)
                sent.future.cancel(force=True)
                if sent.job is not None:
                    self._retry(source, sent.job, f"the Dask worker on {gone.host} has gone")

    def _retire(self) -> None:
        """Those that close before another run may end make room for new ones."""
        late = [
            worker
            for worker in self.workers.values()
            if worker.reply and not worker.busy and not worker.leaving
            if not worker.lasts(self.requirements.max_run_seconds)
        ]
        for worker in late:
            worker.leaving = True
            self.idle_exits = 0 if worker.served else self.idle_exits + 1
        if self.idle_exits > MAX_IDLE_WORKER_EXITS:
            raise SolverError(*self._idle_reason(len(late)), self.provider.address)
        if late:
            self.provider.retire([worker.address for worker in late])

    def _check_progress(self, present: int) -> None:
        """Wait for workers, but not for what does not come."""
        workers = self.workers.values()
        greeting = any(worker.reply is None for worker in workers)
        if (
            greeting
            or self._running()
            or any(w.is_usable(self.requirements.max_run_seconds) for w in workers)
        ):
            self.served = time.monotonic()
        most = self.provider.absent()
        if self.refused:
            most = min(most or PATIENCE, PATIENCE)
        if most is not None and time.monotonic() - self.served > most:
            raise SolverError(*self._idle_reason(present), self.provider.address)

    def _idle_reason(self, present: int) -> tuple[str, str]:
        start = f"dask worker {self.provider.address} --nthreads 1 --resources {RESOURCE}=1"
        if self.refused:
            return f"no worker can be used ({self.refused})", "what was finished is kept"
        if any(worker.reply for worker in self.workers.values()):
            most = f"{self.requirements.max_run_seconds:.0f} s"
            return f"every worker closes before a run of at most {most} may end", f"`{start}`"
        if present:
            told = pluralize(present, "worker")
            return f"{told}, none with the resource `{RESOURCE}`", f"start them with `{start}`"
        return "no worker is there", f"start them with `{start}`"

    def _check_scheduler(self) -> None:
        if self.client.status != "running":
            raise self._gone("it does not answer any more")

    def _gone(self, how: str) -> BoardsatError:
        return SolverError(
            f"lost the scheduler: {how}",
            "what was finished is kept; the same command goes on with another one",
            self.provider.address,
        )

    def close(self) -> None:
        """Nobody goes on with a run that nobody waits for."""
        with ignore_signals():
            for sent in self.sent.values():
                sent.future.cancel(force=True)


PATIENCE = 20.0
"""Seconds to wait for a worker where none should be long in coming."""


def _record(job: Job, line: str) -> RunRecord | None:
    """The record of the job, if the line is one."""
    try:
        record = record_from(line) if line else None
    except MalformedError:
        return None
    return record if record and record.key == job.key else None


def _error_line(error: BaseException | None) -> str:
    """The last line says what happened; some of Dask's are whole pages."""
    lines = str(error).strip().splitlines()
    return one_line(f"{type(error).__name__}: {lines[0] if lines else ''}").rstrip(": ")

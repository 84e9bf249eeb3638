"""Dask engine: connects to a scheduler, and dispatches jobs to its workers, one for each core.

A worker gets a run only if it has the same versions of boardsat and the solvers, and stays open for
the longest time that the run may take. Dask transports jobs and records, and lists the workers.
"""

from __future__ import annotations

import logging
import queue
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardsat.base.errors import BoardsatError, SolverError
from boardsat.base.json_data import MalformedError
from boardsat.base.text import one_line, pluralize
from boardsat.campaign.runner.job_queue import JobQueue, JobSource, lost, retry
from boardsat.campaign.runner.pool import ignore_signals
from boardsat.campaign.runner.records import Job, RunRecord, record_from, to_line
from boardsat.campaign.runner.remote_worker import HandshakeReply, greet, perform

RESOURCE = "run"
"""Dask resource of a worker; its amount is the maximum number of runs at a time."""
POLL_SECONDS = 1.0
"""Time in seconds between queries of the list of workers."""
MAX_IDLE_WORKER_EXITS = 10
"""Number of consecutive workers that may close without a run before the campaign ends."""
RESULT_SECONDS = 30.0
"""Time limit in seconds for the transport of a finished record."""
MAX_WAIT_SECONDS = 20.0
"""Time in seconds to wait for workers that should be there already."""

CONNECT_SECONDS = 8.0
"""Time limit in seconds for the connection to a scheduler."""
INSTALL_COMMAND = "pip install 'boardsat[cluster]'"
PROTOCOLS = ("tcp://", "tls://")


class WorkerProvider:
    """Source of workers. By default the user starts and stops them."""

    has_queue = False
    """True if workers may wait in the queue of a batch system, for an unlimited time."""

    def __init__(self, address: str) -> None:
        self.address = address

    def dashboard(self, client: Any) -> str:
        """Return the address of the scheduler's dashboard; empty if it has none."""
        with suppress(KeyError):
            return str(client.dashboard_link)
        return ""

    def renew(self) -> None:
        """Start workers until there is the requested number; called periodically."""

    def retire(self, addresses: list[str]) -> None:
        """Close workers that have too little time left for another run."""


@dataclass(frozen=True)
class WorkerRequirements:
    """Requirements of a campaign on a worker."""

    handshake: str
    """Request of the handshake, see `remote_worker`."""
    max_run_seconds: float
    """Time in seconds that a run may take, generation and checks included."""
    max_runs: int | None = None
    """Maximum number of runs at a time. None for as many as the workers can do."""


@dataclass
class _Worker:
    """Dask worker, and its runs."""

    address: str
    slots: int
    """Maximum number of runs at a time."""
    reply: HandshakeReply | None = None
    """Reply to the handshake. None until it has arrived."""
    close_time: float | None = None
    """Time at which the worker closes, by the monotonic clock of this process. None if never."""
    num_running: int = 0
    num_begun: int = 0
    """Number of runs so far, running ones included."""
    is_retiring: bool = False

    @property
    def host(self) -> str:
        return self.reply.host if self.reply else self.address

    def stays_open(self, seconds: float) -> bool:
        """Return whether the worker will stay open for this number of seconds."""
        return self.close_time is None or time.monotonic() + seconds < self.close_time

    def is_usable(self, seconds: float) -> bool:
        """Return whether the worker can do a run of this length, now or when it is idle."""
        is_compatible = self.reply is not None and not self.reply.fault
        return is_compatible and not self.is_retiring and self.stays_open(seconds)


@dataclass(frozen=True)
class _Task:
    """Dask task that was submitted to a worker."""

    future: Any
    worker: _Worker
    job: Job | None
    """Job of a run. None for the handshake."""


class Cluster:
    """Engine that executes jobs on the workers of a Dask scheduler.

    Parameters
    ----------
    client : distributed.Client
        Connection to the scheduler.
    provider : WorkerProvider
        Source of the workers.
    requirements : WorkerRequirements
        Requirements that a worker must meet to be assigned runs.
    jobs : JobQueue
        Queue that stores the records.
    print_note : callable
        Called with lines about the workers, for the user.
    """

    def __init__(
        self,
        client: Any,
        provider: WorkerProvider,
        requirements: WorkerRequirements,
        jobs: JobQueue,
        print_note: Callable[[str], None],
    ) -> None:
        self.client, self.provider, self.requirements = client, provider, requirements
        self.queue, self.print_note = jobs, print_note
        self.folder = str(Path.cwd())
        self.workers: dict[str, _Worker] = {}
        self.ignored: set[str] = set()
        """Addresses of workers without the resource."""
        self.rejection = ""
        """Message about the last incompatible worker. Empty if there was none."""
        self.idle_exits = 0
        """Number of consecutive workers that have closed without a run."""
        self.tasks: dict[str, _Task] = {}
        """Submitted tasks by their Dask keys."""
        self.ended_keys: queue.Queue[str] = queue.Queue()
        self.waiting: deque[Job] = deque()
        self.poll_time = -POLL_SECONDS
        self.ready_time = time.monotonic()
        """Time at which a worker was last usable."""

    def run(self, source: JobSource) -> None:
        """Run every job of the source, which is notified of each record."""
        if link := self.provider.dashboard(self.client):
            self.print_note(f"{self.provider.address}: dashboard at {link}")
        while self._begin(source) or self._num_running():
            self._poll(source)
            try:
                key = self.ended_keys.get(timeout=0.2)
            except queue.Empty:
                self.queue.listener.tick()
                continue
            if (task := self.tasks.pop(key, None)) is not None:
                self._finish(source, task)

    def _num_running(self) -> int:
        return sum(worker.num_running for worker in self.workers.values())

    def _begin(self, source: JobSource) -> bool:
        """Give jobs to all idle workers; return whether jobs wait for a worker."""
        while self.waiting or self._fetch(source):
            worker = self._idle()
            if worker is None:
                return True
            job = self.waiting.popleft()
            worker.num_running += 1
            worker.num_begun += 1
            self._submit(worker, job, perform, to_line(job), resources={RESOURCE: 1})
            if job.attempt.tries == 1:
                self.queue.listener.began(job)
        return False

    def _fetch(self, source: JobSource) -> bool:
        """Take a job from the source; return False if it has none now."""
        job = self.queue.next(source)
        if job is not None:
            self.waiting.append(job)
        return job is not None

    def _idle(self) -> _Worker | None:
        """Return a usable worker with a free slot. None if all are busy or unusable."""
        seconds, max_runs = self.requirements.max_run_seconds, self.requirements.max_runs
        if max_runs is not None and self._num_running() >= max_runs:
            return None
        for worker in self.workers.values():
            if worker.num_running < worker.slots and worker.is_usable(seconds):
                return worker
        return None

    def _submit(
        self,
        worker: _Worker,
        job: Job | None,
        function: Callable[..., Any],
        argument: str,
        **options: Any,
    ) -> None:
        """Submit a task to a worker; its key is queued when it has ended."""
        future = self.client.submit(
            function,
            argument,
            self.folder,
            workers=[worker.address],
            pure=False,
            retries=0,
            **options,
        )
        self.tasks[future.key] = _Task(future, worker, job)
        future.add_done_callback(lambda ended: self.ended_keys.put(ended.key))

    def _finish(self, source: JobSource, task: _Task) -> None:
        """Take the reply to a handshake or the record of a run; retry a run without a record."""
        self._check_scheduler()
        output: Any = None
        cause = ""
        if task.future.status == "finished":
            try:
                output = task.future.result(timeout=RESULT_SECONDS)
            except Exception as error:  # any error of the worker or of Dask
                cause = _error_line(error)
        elif task.future.status == "error":
            cause = _error_line(task.future.exception(timeout=RESULT_SECONDS))
        else:
            cause = f"the status of the Dask task is {task.future.status}"
        if task.job is None:
            self._accept(task.worker, output or HandshakeReply(task.worker.address, cause, None))
            return
        task.worker.num_running -= 1
        line, cause = output or ("", cause)
        record = _record(task.job, line)
        if record is not None:
            self.queue.keep(source, task.job, record)
        else:
            self._retry(source, task.job, f"{cause} on {task.worker.host}")

    def _accept(self, worker: _Worker, reply: HandshakeReply) -> None:
        """Store the reply of a worker; report an incompatible one."""
        worker.reply = reply
        if reply.seconds_left is not None:
            worker.close_time = time.monotonic() + reply.seconds_left
        if reply.fault:
            self.rejection = f"the worker on {reply.host} cannot be used: {reply.fault}"
            self.print_note(self.rejection)

    def _retry(self, source: JobSource, job: Job, cause: str) -> None:
        """Queue the job of a dead worker again, or record that it is lost after too many tries."""
        if retried_job := retry(job):
            self.waiting.append(retried_job)
        else:
            self.queue.keep(source, job, lost(job, one_line(cause)))

    def _poll(self, source: JobSource) -> None:
        """Update the list of workers: start the handshake of new ones, remove and retire others."""
        if time.monotonic() - self.poll_time < POLL_SECONDS:
            return
        self._check_scheduler()
        try:
            entries = self.client.scheduler_info(n_workers=-1)["workers"]
        except Exception as error:  # any error of Dask if the scheduler has just ended
            raise self._lost_scheduler(_error_line(error)) from None
        self._remove_missing(source, entries)
        for address, entry in entries.items():
            if address not in self.workers and self._has_resource(address, entry):
                slots = min(int(entry["resources"][RESOURCE]), entry["nthreads"])
                self.workers[address] = worker = _Worker(address, slots)
                self._submit(worker, None, greet, self.requirements.handshake)
        self._retire()
        self.provider.renew()
        self._check_progress(len(entries))
        self.poll_time = time.monotonic()

    def _has_resource(self, address: str, entry: Any) -> bool:
        """Return whether a worker has the resource; report one without it once."""
        if int(entry["resources"].get(RESOURCE, 0)) >= 1:
            return True
        if address not in self.ignored:
            self.ignored.add(address)
            self.print_note(f"the worker at {address} is not used: it has no resource `{RESOURCE}`")
        return False

    def _remove_missing(self, source: JobSource, entries: Any) -> None:
        """Remove workers that the scheduler does not list any more, and retry their jobs."""
        for address in [address for address in self.workers if address not in entries]:
            worker = self.workers.pop(address)
            for key in [key for key, task in self.tasks.items() if task.worker is worker]:
                task = self.tasks.pop(key)
                task.future.cancel(force=True)
                if task.job is not None:
                    self._retry(source, task.job, f"the Dask worker on {worker.host} has gone")

    def _retire(self) -> None:
        """Retire idle workers that might close before the end of another run."""
        expiring = [
            worker
            for worker in self.workers.values()
            if worker.reply and not worker.num_running and not worker.is_retiring
            if not worker.stays_open(self.requirements.max_run_seconds)
        ]
        for worker in expiring:
            worker.is_retiring = True
            self.idle_exits = 0 if worker.num_begun else self.idle_exits + 1
        if self.idle_exits > MAX_IDLE_WORKER_EXITS:
            raise SolverError(*self._idle_reason(len(expiring)), self.provider.address)
        if expiring:
            self.provider.retire([worker.address for worker in expiring])

    def _check_progress(self, num_listed: int) -> None:
        """Raise SolverError if no worker has been usable for too long."""
        seconds = self.requirements.max_run_seconds
        if self._num_running() or any(
            worker.reply is None or worker.is_usable(seconds) for worker in self.workers.values()
        ):
            self.ready_time = time.monotonic()
        may_wait = self.provider.has_queue and not self.rejection
        if not may_wait and time.monotonic() - self.ready_time > MAX_WAIT_SECONDS:
            raise SolverError(*self._idle_reason(num_listed), self.provider.address)

    def _idle_reason(self, num_listed: int) -> tuple[str, str]:
        """Return fault and remedy if no worker is usable."""
        command = f"dask worker {self.provider.address} --nthreads 1 --resources {RESOURCE}=1"
        if self.rejection:
            return f"no worker can be used ({self.rejection})", "finished runs are stored"
        if any(worker.reply for worker in self.workers.values()):
            seconds = f"{self.requirements.max_run_seconds:.0f} s"
            fault = f"every worker closes before a run of at most {seconds} may end"
            return fault, f"start workers with a longer lifetime: `{command}`"
        if num_listed:
            workers = pluralize(num_listed, "worker has", "workers have")
            return f"{workers} no resource `{RESOURCE}`", f"start them with `{command}`"
        return "the scheduler has no workers", f"start them with `{command}`"

    def _check_scheduler(self) -> None:
        if self.client.status != "running":
            raise self._lost_scheduler("it does not answer any more")

    def _lost_scheduler(self, cause: str) -> BoardsatError:
        return SolverError(
            f"lost the scheduler: {cause}",
            "finished runs are stored; the same command continues with another scheduler",
            self.provider.address,
        )

    def close(self) -> None:
        """Cancel all tasks, so that workers stop their runs."""
        with ignore_signals():
            for task in self.tasks.values():
                task.future.cancel(force=True)


def _record(job: Job, line: str) -> RunRecord | None:
    """Return the record in a line. None if the line is damaged or of another job."""
    try:
        record = record_from(line) if line else None
    except MalformedError:
        return None
    return record if record and record.key == job.key else None


def _error_line(error: BaseException | None) -> str:
    """Return the class and the first line of an error; errors of Dask may have many lines."""
    lines = str(error).strip().splitlines()
    return one_line(f"{type(error).__name__}: {lines[0] if lines else ''}").rstrip(": ")


@contextmanager
def scheduler_engine(
    address: str,
    requirements: WorkerRequirements,
    jobs: JobQueue,
    print_note: Callable[[str], None],
) -> Iterator[Cluster]:
    """Open an engine on the workers of a Dask scheduler at an address."""
    with (
        silence_dask(),
        connect(address) as client,
        closing(Cluster(client, WorkerProvider(address), requirements, jobs, print_note)) as engine,
    ):
        yield engine


@contextmanager
def silence_dask() -> Iterator[None]:
    """Suppress log messages and warnings of Dask; important events are reported by boardsat."""
    level = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)


@contextmanager
def connect(address: Any) -> Iterator[Any]:
    """Open a client of a scheduler, given by its address or as a Dask cluster object."""
    distributed = import_extra("distributed")
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:  # errors of network, TLS and address have no common class
        raise SolverError(
            f"cannot reach the scheduler: {one_line(str(error))[:200]}",
            "start `dask scheduler` there",
            str(address),
        ) from None
    try:
        yield client
    finally:
        with ignore_signals():
            client.close(timeout=5)


def import_extra(name: str) -> Any:
    """Import a module of the extra `cluster`; raise SolverError if it is not installed."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise SolverError(
            f"{error.name or name} is not installed", INSTALL_COMMAND, "--on"
        ) from None

"""Batch system engine: a Dask scheduler in this process, with workers that are batch jobs.

dask-jobqueue submits the jobs. Each is renewed before its walltime ends: a run that is cut off by
the walltime would be wasted, and would look like one that kills its worker.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from boardsat.adapters.runtimes import child_python
from boardsat.base.errors import SolverError
from boardsat.base.text import one_line
from boardsat.campaign.runner.cluster.dispatch import RESOURCE, Cluster, WorkerRequirements
from boardsat.campaign.runner.cluster.options import MARGIN_SECONDS, SYSTEMS, Options
from boardsat.campaign.runner.cluster.remote_worker import ENDS
from boardsat.campaign.runner.cluster.scheduler import connect, import_extra, silence_dask
from boardsat.campaign.runner.job_queue import JobQueue
from boardsat.campaign.runner.pool import ignore_signals

LOG_FOLDER = "workers"
"""In the folder of results: what workers print, and while they run the keys to the scheduler."""
KEY_PREFIX = ".dask-jobqueue."
DASHBOARD_HOST = "127.0.0.1"
"""Address on which the dashboard listens: it has no keys, so it is for this machine alone."""
QUEUE_POLL_SECONDS = 5.0
"""Between looks at the queue."""
MAX_FAILED_JOB_STARTS = 3
"""So many jobs may end one after the other before their worker has come."""
MAX_REJECTED_SECONDS = 300.0
"""So long the system may take no more jobs, once it has taken some."""


@contextmanager
def batch_engine(
    options: Options,
    folder: Path,
    requirements: WorkerRequirements,
    jobs: JobQueue,
    tell: Callable[[str], None],
) -> Iterator[Cluster]:
    with silence_dask(), _scheduler(options, folder) as cluster, connect(cluster) as client:
        provider = BatchJobs(options, cluster, client, folder / LOG_FOLDER)
        with closing(Cluster(client, provider, requirements, jobs, tell)) as engine:
            yield engine


class BatchJobs:
    """As many jobs as were asked for, in the queue or running."""

    def __init__(self, options: Options, cluster: Any, client: Any, logs: Path) -> None:
        self.options, self.cluster, self.client, self.logs = options, cluster, client, logs
        self.address = str(cluster.scheduler_address)
        self.polled = time.monotonic()
        self.accepted: float | None = None
        """When the system took jobs last."""
        self.failed_starts = 0
        self.arrived: set[str] = set()

    def dashboard(self, client: Any) -> str:
        # Dask's own link has the address on which workers reach the scheduler.
        return (
            f"http://{DASHBOARD_HOST}:{self.cluster.scheduler_info['services']['dashboard']}/status"
        )

    def absent(self) -> float | None:
        # A queue may be long.
        return None

    def renew(self) -> None:
        if self.options.system == "slurm" and time.monotonic() - self.polled > QUEUE_POLL_SECONDS:
            self.polled = time.monotonic()
            self._poll_queue()
        # As `scale` does, which leaves what goes wrong to a thread of its own.
        while len(self.cluster.worker_spec) < self.options.jobs:
            self.cluster.worker_spec.update(self.cluster.new_worker_spec())
        try:
            self.cluster.sync(self.cluster._correct_state)
            self.accepted = time.monotonic()
        except Exception as error:  # whatever its submit command may say
            self._forget([name for name, job in self._jobs() if job.job_id is None])
            if self.accepted is None or time.monotonic() - self.accepted > MAX_REJECTED_SECONDS:
                raise SolverError(
                    f"takes no jobs: {_error_line(error)}",
                    "see the key `cluster` of the campaign",
                    self.options.system,
                ) from None

    def retire(self, addresses: list[str]) -> None:
        names = [str(self._workers()[each].name) for each in addresses if each in self._workers()]
        self.client.retire_workers(workers=addresses, close_workers=True)
        ended = [job for name, job in self._jobs() if str(name) in names]
        self._forget([name for name, _ in self._jobs() if str(name) in names])
        for job in ended:
            self.cluster.sync(job.close)

    def _workers(self) -> dict[str, Any]:
        return dict(self.cluster.scheduler.workers)

    def _jobs(self) -> list[tuple[Any, Any]]:
        return list(self.cluster.workers.items())

    def _forget(self, names: list[Any]) -> None:
        """These have no job any more; they get another one."""
        for name in names:
            job = self.cluster.workers.pop(name, None)
            # One that was never submitted would be waited for at the end.
            self.cluster._created.discard(job)

    def _poll_queue(self) -> None:
        """Jobs that have ended before their worker came are begun again, but not for ever."""
        here = {str(worker.name) for worker in self._workers().values()}
        jobs = {str(job.job_id): name for name, job in self._jobs() if job.job_id}
        came = {number for number, name in jobs.items() if str(name) in here}
        if came - self.arrived:
            self.failed_starts = 0
        self.arrived |= came
        waiting = _queued_jobs()
        if waiting is None:
            return
        dead = [number for number in jobs if number not in waiting | self.arrived]
        self._forget([jobs[number] for number in dead])
        self.failed_starts += len(dead)
        if self.failed_starts >= MAX_FAILED_JOB_STARTS:
            raise SolverError(
                f"{self.failed_starts} jobs have ended before their worker came",
                f"see what they print in {self.logs}",
                self.options.system,
            )


@contextmanager
def _scheduler(options: Options, folder: Path) -> Iterator[Any]:
    """A scheduler in this process, for workers that are still to come."""
    jobqueue, dask = import_extra("dask_jobqueue"), import_extra("dask")
    class_name, submit_command = SYSTEMS[options.system]
    if shutil.which(submit_command) is None:
        raise SolverError(
            f"no program {submit_command!r} on PATH",
            "run this where jobs are submitted",
            options.system,
        )
    logs = (folder / LOG_FOLDER).absolute()
    if re.search(r"[\s%]", str(logs)):
        raise SolverError("a name that job scripts cannot have", "give another folder", str(logs))
    logs.mkdir(exist_ok=True)
    for left in logs.glob(f"{KEY_PREFIX}*"):
        left.unlink(missing_ok=True)
    # We count ourselves how often a run was begun.
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        try:
            cluster = getattr(jobqueue, class_name)(**_cluster_arguments(options, logs))
        except (RuntimeError, ValueError, OSError) as error:
            raise SolverError(
                f"no scheduler can be started: {_error_line(error)}",
                "see the key `cluster` of the campaign",
                options.system,
            ) from None
        try:
            yield cluster
        finally:
            with ignore_signals():
                cluster.close(timeout=10)
                for name in ("key", "cert", "ca_file") if options.tls else ():
                    # Not when somebody collects the garbage.
                    getattr(cluster, f"_job_{name}").close()


def _cluster_arguments(options: Options, logs: Path) -> dict[str, Any]:
    """What dask-jobqueue wants to know."""
    prologue = [*options.prologue, child_python.shell_line()]
    words: dict[str, Any] = {}
    if options.walltime is not None:
        # A nanny may start its worker anew, so it cannot be the worker that counts.
        left = int(options.walltime - MARGIN_SECONDS)
        prologue.append(f"export {ENDS}=$(($(date +%s) + {left}))")
        words["walltime"] = _walltime(options)
    if options.system == "htcondor":
        words = {"disk": options.disk or "1GB"}
    else:
        account = "account" if options.system in ("slurm", "pbs") else "project"
        words |= {"queue": options.queue, account: options.account}
    return words | {
        "cores": 1,
        "processes": 1,
        "memory": f"{options.memory}B",
        "python": options.python,
        "interface": options.interface,
        "security": True if options.tls else None,
        "shared_temp_directory": str(logs),
        "log_directory": str(logs),
        "job_extra_directives": list(options.directives),
        "job_script_prologue": prologue,
        "worker_extra_args": ["--resources", f"{RESOURCE}=1", "--no-dashboard"],
        "scheduler_options": {"dashboard_address": f"{DASHBOARD_HOST}:0"},
    }


def _walltime(options: Options) -> str:
    minutes, seconds = divmod(options.walltime or 0, 60)
    hours, minutes = divmod(minutes, 60)
    if options.system == "lsf":
        # It knows no seconds; earlier than we think would be too early.
        minutes += bool(seconds)
        return f"{hours + minutes // 60}:{minutes % 60:02}"
    return f"{hours:02}:{minutes:02}:{seconds:02}"


def _queued_jobs() -> set[str] | None:
    """The jobs of our user that wait or run; None where Slurm does not say."""
    try:
        said = subprocess.run(
            ["squeue", "-h", "--me", "-o", "%A"],
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return set(said.stdout.split())


def _error_line(error: BaseException) -> str:
    """What the submit command said, out of all that dask-jobqueue says of it."""
    told = str(error).rpartition("stderr:\n")[2].strip().splitlines()
    return one_line((told or [type(error).__name__])[0])

"""A scheduler of our own, whose workers are jobs of a batch system, renewed before their walltime.

dask-jobqueue asks the system for them. When one ends must be known here: a run that the walltime
cuts off would be lost time, and look like a run that kills its worker.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from boardsat.adapters.runtimes import child_python
from boardsat.base.errors import SolverError
from boardsat.base.text import one_line
from boardsat.campaign.runner.cluster.dispatch import RESOURCE, Cluster, Terms
from boardsat.campaign.runner.cluster.options import MARGIN, Options
from boardsat.campaign.runner.cluster.remote_worker import ENDS
from boardsat.campaign.runner.cluster.scheduler import connected, dispatching, imported, quiet
from boardsat.campaign.runner.job_queue import Books
from boardsat.campaign.runner.pool import undisturbed

CLUSTERS = {
    "slurm": "SLURMCluster",
    "pbs": "PBSCluster",
    "lsf": "LSFCluster",
    "sge": "SGECluster",
    "htcondor": "HTCondorCluster",
}
SUBMIT = {
    "slurm": "sbatch",
    "pbs": "qsub",
    "lsf": "bsub",
    "sge": "qsub",
    "htcondor": "condor_submit",
}
FOLDER = "workers"
"""In the folder of results: what workers print, and while they run the keys to the scheduler."""
KEYS = ".dask-jobqueue."
DASHBOARD_HOST = "127.0.0.1"
"""Address on which the dashboard listens: it has no keys, so it is for this machine alone."""
QUEUE_SECONDS = 5.0
"""Between looks at the queue."""
STILLBORN = 3
"""So many jobs may end one after the other before their worker has come."""
REFUSED_SECONDS = 300.0
"""So long the system may take no more jobs, once it has taken some."""


@contextmanager
def in_batches(
    options: Options, folder: Path, terms: Terms, books: Books, tell: Callable[[str], None]
) -> Iterator[Cluster]:
    with quiet(), _scheduler(options, folder) as cluster, connected(cluster) as client:
        supply = Batch(options, cluster, client, folder / FOLDER)
        with dispatching(client, supply, terms, books, tell) as opened:
            yield opened


class Batch:
    """As many jobs as were asked for, in the queue or running."""

    def __init__(self, options: Options, cluster: Any, client: Any, logs: Path) -> None:
        self.options, self.cluster, self.client, self.logs = options, cluster, client, logs
        self.address = str(cluster.scheduler_address)
        self.looked = time.monotonic()
        self.taken: float | None = None
        """When the system took jobs last."""
        self.stillborn = 0
        self.born: set[str] = set()

    def dashboard(self, client: Any) -> str:
        # Dask's own link has the address on which workers reach the scheduler.
        return (
            f"http://{DASHBOARD_HOST}:{self.cluster.scheduler_info['services']['dashboard']}/status"
        )

    def absent(self) -> float | None:
        # A queue may be long.
        return None

    def renew(self) -> None:
        if self.options.system == "slurm" and time.monotonic() - self.looked > QUEUE_SECONDS:
            self.looked = time.monotonic()
            self._look_into_queue()
        # As `scale` does, which leaves what goes wrong to a thread of its own.
        while len(self.cluster.worker_spec) < self.options.jobs:
            self.cluster.worker_spec.update(self.cluster.new_worker_spec())
        try:
            self.cluster.sync(self.cluster._correct_state)
            self.taken = time.monotonic()
        except Exception as error:  # whatever its submit command may say
            self._forget([name for name, job in self._jobs() if job.job_id is None])
            if self.taken is None or time.monotonic() - self.taken > REFUSED_SECONDS:
                raise SolverError(
                    f"takes no jobs: {_last_words(error)}",
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

    def _look_into_queue(self) -> None:
        """Jobs that have ended before their worker came are begun again, but not for ever."""
        here = {str(worker.name) for worker in self._workers().values()}
        jobs = {str(job.job_id): name for name, job in self._jobs() if job.job_id}
        came = {number for number, name in jobs.items() if str(name) in here}
        if came - self.born:
            self.stillborn = 0
        self.born |= came
        waiting = _queue()
        if waiting is None:
            return
        dead = [number for number in jobs if number not in waiting | self.born]
        self._forget([jobs[number] for number in dead])
        self.stillborn += len(dead)
        if self.stillborn >= STILLBORN:
            raise SolverError(
                f"{self.stillborn} jobs have ended before their worker came",
                f"see what they print in {self.logs}",
                self.options.system,
            )


@contextmanager
def _scheduler(options: Options, folder: Path) -> Iterator[Any]:
    """A scheduler in this process, for workers that are still to come."""
    jobqueue, dask = imported("dask_jobqueue"), imported("dask")
    if shutil.which(SUBMIT[options.system]) is None:
        raise SolverError(
            f"no program {SUBMIT[options.system]!r} on PATH",
            "run this where jobs are submitted",
            options.system,
        )
    logs = (folder / FOLDER).absolute()
    if re.search(r"[\s%]", str(logs)):
        raise SolverError("a name that job scripts cannot have", "give another folder", str(logs))
    logs.mkdir(exist_ok=True)
    for left in logs.glob(f"{KEYS}*"):
        left.unlink(missing_ok=True)
    # We count ourselves how often a run was begun.
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        try:
            cluster = getattr(jobqueue, CLUSTERS[options.system])(**_words(options, logs))
        except (RuntimeError, ValueError, OSError) as error:
            raise SolverError(
                f"no scheduler can be started: {_last_words(error)}",
                "see the key `cluster` of the campaign",
                options.system,
            ) from None
        try:
            yield cluster
        finally:
            with undisturbed():
                cluster.close(timeout=10)
                for name in ("key", "cert", "ca_file") if options.tls else ():
                    # Not when somebody collects the garbage.
                    getattr(cluster, f"_job_{name}").close()


def _words(options: Options, logs: Path) -> dict[str, Any]:
    """What dask-jobqueue wants to know."""
    prologue = [*options.prologue, child_python.shell_line()]
    words: dict[str, Any] = {}
    if options.walltime is not None:
        # A nanny may start its worker anew, so it cannot be the worker that counts.
        left = int(options.walltime - MARGIN)
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


def _queue() -> set[str] | None:
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


def _last_words(error: BaseException) -> str:
    """What the submit command said, out of all that dask-jobqueue says of it."""
    told = str(error).rpartition("stderr:\n")[2].strip().splitlines()
    return one_line((told or [type(error).__name__])[0])

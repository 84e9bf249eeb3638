"""Batch system engine: a Dask scheduler in this process, with workers that are batch jobs.

dask-jobqueue submits the jobs, with the options under the key `cluster` of a campaign. Each is
replaced before its walltime ends: a run that the walltime interrupts would be wasted, and would
look like one that kills its worker.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardsat.adapters.runtimes import child_python
from boardsat.base.errors import InputError, SolverError
from boardsat.base.text import one_line, suggest
from boardsat.campaign.runner.dispatch import (
    RESOURCE,
    Cluster,
    WorkerProvider,
    WorkerRequirements,
    connect,
    import_extra,
    silence_dask,
)
from boardsat.campaign.runner.job_queue import JobQueue
from boardsat.campaign.runner.pool import ignore_signals
from boardsat.campaign.runner.remote_worker import END_TIME_VARIABLE

SYSTEMS = {
    "slurm": ("SLURMCluster", "sbatch"),
    "pbs": ("PBSCluster", "qsub"),
    "lsf": ("LSFCluster", "bsub"),
    "sge": ("SGECluster", "qsub"),
    "htcondor": ("HTCondorCluster", "condor_submit"),
}
"""Class of dask-jobqueue and submit command of each batch system."""
BOOLEANS = {"true": True, "false": False}
MAX_JOBS = 10_000
MARGIN_SECONDS = 5.0
"""Minimum time in seconds between the end of the last run of a worker and the walltime."""
WORKER_BYTES = 2**30
"""Memory of a worker in bytes, in addition to that of its runs."""
SAFE_WORD = r"[\w@.,:=/+^-]+"
"""Pattern of a word that needs no quotes in a shell script."""

LOG_FOLDER = "workers"
"""Subfolder of the results for the output of workers, and for TLS keys while they run."""
KEY_PREFIX = ".dask-jobqueue."
DASHBOARD_HOST = "127.0.0.1"
"""Address of the dashboard: it has no authentication, so it is for this machine only."""
QUEUE_POLL_SECONDS = 5.0
"""Time in seconds between queries of the batch queue."""
MAX_FAILED_JOB_STARTS = 3
"""Number of consecutive jobs without a worker after which the campaign ends."""
MAX_REJECTED_SECONDS = 300.0
"""Maximum time in seconds for which a system may reject all jobs, after it has accepted some."""


@dataclass(frozen=True)
class Options:
    """Options of batch jobs. None means the default of the batch system."""

    system: str
    """Name of the batch system, a key of `SYSTEMS`."""
    jobs: int = 1
    """Number of batch jobs; each has one worker, on one core."""
    walltime: int | None = None
    """Time limit of a batch job in seconds."""
    memory: int = WORKER_BYTES
    """Memory of a batch job in bytes."""
    queue: str | None = None
    account: str | None = None
    interface: str | None = None
    """Name of the network interface on every host."""
    python: str = child_python.PYTHON
    """Python interpreter on the hosts of the workers."""
    tls: bool = True
    """Encrypt and authenticate the connections of the scheduler."""
    directives: tuple[str, ...] = ()
    """Additional lines for the header of the job script."""
    prologue: tuple[str, ...] = ()
    """Shell commands that run before a worker starts."""
    disk: str | None = None
    """Disk space of a job, for HTCondor."""


def _seconds(match: re.Match[str]) -> int:
    """Return the seconds of a match of days, hours, minutes and seconds."""
    days, hours, minutes, seconds = (int(digits or 0) for digits in match.groups())
    return ((24 * days + hours) * 60 + minutes) * 60 + seconds


Format = tuple[str, str, Callable[[re.Match[str]], Any]]
"""Pattern of a value, noun for it in errors, and conversion of the match."""

_NAME: Format = (SAFE_WORD, "a name without blanks and quotes", lambda match: match[0])
_LINES: Format = (r"(?s:.*)", "", lambda match: tuple(match[0].splitlines()))
FORMATS: dict[str, Format] = {
    "jobs": (
        r"[1-9]\d{0,4}",
        f"an integer from 1 to {MAX_JOBS:,}",
        lambda match: min(int(match[0]), MAX_JOBS),
    ),
    "walltime": (
        r"(?:(\d{1,3})-)?(\d{1,4}):(\d\d):(\d\d)",
        "HH:MM:SS or D-HH:MM:SS",
        _seconds,
    ),
    "memory": (r"[1-9]\d{0,8}", "an integer of megabytes", lambda match: int(match[0]) * 2**20),
    "tls": ("|".join(BOOLEANS), "true or false", lambda match: BOOLEANS[match[0]]),
    **dict.fromkeys(("partition", "queue", "account", "interface", "python", "disk"), _NAME),
    **dict.fromkeys(("directives", "prologue"), _LINES),
}
"""Format of each key under `cluster`."""


def parse_options(
    system: str, texts: Mapping[str, str], file: str, jobs: int | None, memory: int | None
) -> Options:
    """Parse the options under the key `cluster` of a campaign.

    Parameters
    ----------
    system : str
        Name of the batch system.
    texts : mapping of str to str
        Text of each option by its key.
    file : str
        Path of the campaign, for errors.
    jobs : int, optional
        Number of jobs on the command line, which takes precedence over the key `jobs`.
    memory : int, optional
        Memory limit of a run in bytes.

    Raises
    ------
    InputError
        An option is unknown, missing or invalid.
    """
    location = f"{file}: cluster"
    values = {key: _parse(key, text, location) for key, text in texts.items()}
    if "walltime" not in values and system != "htcondor":
        raise InputError("the key `walltime` is missing", "write HH:MM:SS", location)
    if "partition" in values:
        values["queue"] = values.pop("partition")
    values.setdefault("memory", WORKER_BYTES + (memory or WORKER_BYTES))
    return Options(system, **(values if jobs is None else values | {"jobs": jobs}))


def _parse(key: str, text: str, location: str) -> Any:
    if key not in FORMATS:
        fault = f"`cluster` has no option `{key[:40]}`"
        raise InputError(fault, suggest(key, FORMATS), location)
    pattern, noun, convert = FORMATS[key]
    match = re.fullmatch(pattern, text, re.ASCII)
    if match is None:
        raise InputError(f"`{key}` must be {noun} (got {text[:40]!r})", "", location)
    return convert(match)


@contextmanager
def batch_engine(
    options: Options,
    folder: Path,
    requirements: WorkerRequirements,
    jobs: JobQueue,
    print_note: Callable[[str], None],
) -> Iterator[Cluster]:
    """Open an engine on workers that are jobs of a batch system.

    `folder` is the folder of the results, which all hosts must share.
    """
    with silence_dask(), _scheduler(options, folder) as cluster, connect(cluster) as client:
        provider = BatchJobs(options, cluster, client, folder / LOG_FOLDER)
        with closing(Cluster(client, provider, requirements, jobs, print_note)) as engine:
            yield engine


class BatchJobs(WorkerProvider):
    """Provider of workers that keeps the requested number of batch jobs queued or running."""

    has_queue = True

    def __init__(self, options: Options, cluster: Any, client: Any, logs: Path) -> None:
        super().__init__(str(cluster.scheduler_address))
        self.options, self.cluster, self.client, self.logs = options, cluster, client, logs
        self.poll_time = time.monotonic()
        self.accept_time: float | None = None
        """Time at which the system last accepted jobs. None if never."""
        self.failed_starts = 0
        self.started_jobs: set[str] = set()
        """Ids of jobs whose worker has connected."""

    def dashboard(self, client: Any) -> str:
        """Return the address of the dashboard on this machine."""
        # The link of Dask has the address at which workers reach the scheduler.
        return (
            f"http://{DASHBOARD_HOST}:{self.cluster.scheduler_info['services']['dashboard']}/status"
        )

    def renew(self) -> None:
        """Submit jobs until the requested number is queued or running."""
        if (
            self.options.system == "slurm"
            and time.monotonic() - self.poll_time > QUEUE_POLL_SECONDS
        ):
            self.poll_time = time.monotonic()
            self._poll_queue()
        # `scale` does the same, but reports errors in another thread.
        while len(self.cluster.worker_spec) < self.options.jobs:
            self.cluster.worker_spec.update(self.cluster.new_worker_spec())
        try:
            self.cluster.sync(self.cluster._correct_state)
            self.accept_time = time.monotonic()
        except Exception as error:  # any error of the submit command
            self._forget([name for name, job in self._jobs() if job.job_id is None])
            if (
                self.accept_time is None
                or time.monotonic() - self.accept_time > MAX_REJECTED_SECONDS
            ):
                raise SolverError(
                    f"the batch system rejects jobs: {_error_line(error)}",
                    "see the key `cluster` of the campaign",
                    self.options.system,
                ) from None

    def retire(self, addresses: list[str]) -> None:
        """Close workers and end their jobs."""
        workers = self._workers()
        names = {str(workers[address].name) for address in addresses if address in workers}
        self.client.retire_workers(workers=addresses, close_workers=True)
        retired = [(name, job) for name, job in self._jobs() if str(name) in names]
        self._forget([name for name, _ in retired])
        for _, job in retired:
            self.cluster.sync(job.close)

    def _workers(self) -> dict[str, Any]:
        return dict(self.cluster.scheduler.workers)

    def _jobs(self) -> list[tuple[Any, Any]]:
        """Return the names of workers with their jobs."""
        return list(self.cluster.workers.items())

    def _forget(self, names: list[Any]) -> None:
        """Forget the jobs of workers, so that `renew` submits new ones."""
        for name in names:
            job = self.cluster.workers.pop(name, None)
            # At its end Dask would wait for a job that was never submitted.
            self.cluster._created.discard(job)

    def _poll_queue(self) -> None:
        """Replace jobs that have ended before their worker has connected, up to a limit."""
        connected = {str(worker.name) for worker in self._workers().values()}
        names_by_id = {str(job.job_id): name for name, job in self._jobs() if job.job_id}
        started = {job_id for job_id, name in names_by_id.items() if str(name) in connected}
        if started - self.started_jobs:
            self.failed_starts = 0
        self.started_jobs |= started
        queued = _queued_jobs()
        if queued is None:
            return
        failed = [job_id for job_id in names_by_id if job_id not in queued | self.started_jobs]
        self._forget([names_by_id[job_id] for job_id in failed])
        self.failed_starts += len(failed)
        if self.failed_starts >= MAX_FAILED_JOB_STARTS:
            raise SolverError(
                f"{self.failed_starts} jobs have ended before their worker connected",
                f"see their output in {self.logs}",
                self.options.system,
            )


@contextmanager
def _scheduler(options: Options, folder: Path) -> Iterator[Any]:
    """Open a Dask scheduler in this process, without workers."""
    jobqueue, dask = import_extra("dask_jobqueue"), import_extra("dask")
    class_name, submit_command = SYSTEMS[options.system]
    if shutil.which(submit_command) is None:
        raise SolverError(
            f"the program {submit_command!r} is not on PATH",
            "run this command on a host that submits jobs",
            options.system,
        )
    logs = (folder / LOG_FOLDER).absolute()
    if re.search(r"[\s%]", str(logs)):
        raise SolverError(
            f"the folder of the results must have neither blanks nor % in its path (got {logs})",
            "give another folder",
            options.system,
        )
    logs.mkdir(exist_ok=True)
    for key_file in logs.glob(f"{KEY_PREFIX}*"):
        key_file.unlink(missing_ok=True)
    # The tries of a run are counted by `job_queue.retry`.
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        try:
            cluster = getattr(jobqueue, class_name)(**_cluster_arguments(options, logs))
        except (RuntimeError, ValueError, OSError) as error:
            raise SolverError(
                f"cannot start a Dask scheduler: {_error_line(error)}",
                "see the key `cluster` of the campaign",
                options.system,
            ) from None
        try:
            yield cluster
        finally:
            with ignore_signals():
                cluster.close(timeout=10)
                for name in ("key", "cert", "ca_file") if options.tls else ():
                    # Otherwise the file is closed whenever garbage is collected.
                    getattr(cluster, f"_job_{name}").close()


def _cluster_arguments(options: Options, logs: Path) -> dict[str, Any]:
    """Return the arguments of a cluster class of dask-jobqueue."""
    prologue = [*options.prologue, child_python.shell_line()]
    arguments: dict[str, Any] = {}
    if options.walltime is not None:
        # Not counted by the worker, because its nanny may restart it.
        seconds = int(options.walltime - MARGIN_SECONDS)
        prologue.append(f"export {END_TIME_VARIABLE}=$(($(date +%s) + {seconds}))")
        arguments["walltime"] = _walltime(options)
    if options.system == "htcondor":
        arguments = {"disk": options.disk or "1GB"}
    else:
        account = "account" if options.system in ("slurm", "pbs") else "project"
        arguments |= {"queue": options.queue, account: options.account}
    return arguments | {
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
    """Return the walltime in the notation of the batch system."""
    minutes, seconds = divmod(options.walltime or 0, 60)
    hours, minutes = divmod(minutes, 60)
    if options.system == "lsf":
        # LSF has no seconds; they are rounded up, so that no run is interrupted.
        minutes += bool(seconds)
        return f"{hours + minutes // 60}:{minutes % 60:02}"
    return f"{hours:02}:{minutes:02}:{seconds:02}"


def _queued_jobs() -> set[str] | None:
    """Return the ids of waiting and running jobs of this user. None if Slurm does not answer."""
    try:
        process = subprocess.run(
            ["squeue", "-h", "--me", "-o", "%A"],
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return set(process.stdout.split())


def _error_line(error: BaseException) -> str:
    """Return the first line that the submit command printed, without the text of dask-jobqueue."""
    lines = str(error).rpartition("stderr:\n")[2].strip().splitlines()
    return one_line((lines or [type(error).__name__])[0])

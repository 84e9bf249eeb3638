"""Options of batch jobs that start workers: the key `cluster` of a campaign."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from boardsat.adapters.runtimes.child_python import PYTHON
from boardsat.base.errors import InputError
from boardsat.base.text import suggest

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
"""Time in seconds before the walltime at which a worker has ended its last run."""
WORKER_BYTES = 2**30
"""Memory of a worker in bytes, in addition to that of its runs."""
SAFE_WORD = r"[\w@.,:=/+^-]+"
"""Pattern of a word that needs no quotes in a shell script."""


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
    python: str = PYTHON
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
"""Pattern of a value, remedy if it does not match, and conversion of the match."""

_NAME: Format = (SAFE_WORD, "write a name without blanks and quotes", lambda match: match[0])
_LINES: Format = (r"(?s:.*)", "", lambda match: tuple(match[0].splitlines()))
FORMATS: dict[str, Format] = {
    "jobs": (
        r"[1-9]\d{0,4}",
        f"write a number from 1 to {MAX_JOBS:,}",
        lambda match: min(int(match[0]), MAX_JOBS),
    ),
    "walltime": (
        r"(?:(\d{1,3})-)?(\d{1,4}):(\d\d):(\d\d)",
        "write HH:MM:SS or D-HH:MM:SS",
        _seconds,
    ),
    "memory": (r"[1-9]\d{0,8}", "write megabytes", lambda match: int(match[0]) * 2**20),
    "tls": ("|".join(BOOLEANS), "write true or false", lambda match: BOOLEANS[match[0]]),
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
        raise InputError(f"`{key[:40]}` is not an option", suggest(key, FORMATS), location)
    pattern, remedy, convert = FORMATS[key]
    match = re.fullmatch(pattern, text, re.ASCII)
    if match is None:
        raise InputError(f"`{key}` is invalid (got {text[:40]!r})", remedy, location)
    return convert(match)

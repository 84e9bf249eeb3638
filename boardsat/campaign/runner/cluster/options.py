"""Options of batch jobs that start workers: the key `cluster` of a campaign."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from boardsat.adapters.runtimes.child_python import PYTHON
from boardsat.base.errors import InputError
from boardsat.base.text import suggest

SYSTEMS = ("slurm", "pbs", "lsf", "sge", "htcondor")
"""Those that dask-jobqueue knows how to ask."""
BOOLEANS = {"true": True, "false": False}
MAX_JOBS = 10_000
MARGIN_SECONDS = 5.0
"""Seconds before the walltime in which a worker does nothing any more."""
WORKER_BYTES = 2**30
"""Bytes of a worker beside those of its runs."""
SAFE_WORD = r"[\w@.,:=/+^-]+"
"""What stands in a line of a script as it is."""


@dataclass(frozen=True)
class Options:
    system: str
    jobs: int = 1
    """Each has one worker, on one core."""
    walltime: int | None = None
    """Seconds."""
    memory: int = WORKER_BYTES
    queue: str | None = None
    account: str | None = None
    interface: str | None = None
    """Of the network, by its name on every host."""
    python: str = PYTHON
    """On the hosts of the workers."""
    tls: bool = True
    directives: tuple[str, ...] = ()
    prologue: tuple[str, ...] = ()
    """Lines of shell before a worker starts."""
    disk: str | None = None


def parse_options(
    system: str, texts: Mapping[str, str], place: str, jobs: int | None, memory: int | None
) -> Options:
    """From the texts of a campaign; `jobs` where the command line says it, and the memory of a
    run."""
    reader = _Reader(texts, f"{place}: cluster")
    found = Options(
        system=system,
        jobs=jobs or reader.number("jobs") or 1,
        walltime=reader.seconds("walltime"),
        memory=reader.bytes("memory") or WORKER_BYTES + (memory or WORKER_BYTES),
        queue=reader.word("partition") or reader.word("queue"),
        account=reader.word("account"),
        interface=reader.word("interface"),
        python=reader.word("python") or PYTHON,
        tls=reader.truth("tls"),
        directives=reader.lines("directives"),
        prologue=reader.lines("prologue"),
        disk=reader.word("disk"),
    )
    reader.check_keys()
    if found.walltime is None and system != "htcondor":
        raise reader.fault("walltime", "is missing", "write HH:MM:SS")
    return found


class _Reader:
    def __init__(self, texts: Mapping[str, str], place: str) -> None:
        self.texts, self.place = texts, place
        self.known: set[str] = set()

    def fault(self, key: str, what: str, remedy: str) -> InputError:
        return InputError(f"`{key}` {what}", remedy, self.place)

    def text(self, key: str) -> str | None:
        self.known.add(key)
        return self.texts.get(key)

    def matched(self, key: str, pattern: str, remedy: str) -> re.Match[str] | None:
        text = self.text(key)
        if text is None:
            return None
        found = re.fullmatch(pattern, text, re.ASCII)
        if found is None:
            raise self.fault(key, f"cannot be {text[:40]!r}", remedy)
        return found

    def word(self, key: str) -> str | None:
        found = self.matched(key, SAFE_WORD, "write a name without blanks and quotes")
        return found[0] if found else None

    def number(self, key: str) -> int | None:
        found = self.matched(key, r"[1-9]\d{0,4}", f"write a number from 1 to {MAX_JOBS:,}")
        return min(int(found[0]), MAX_JOBS) if found else None

    def seconds(self, key: str) -> int | None:
        pattern = r"(?:(\d{1,3})-)?(\d{1,4}):(\d\d):(\d\d)"
        found = self.matched(key, pattern, "write HH:MM:SS or D-HH:MM:SS")
        if found is None:
            return None
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return ((24 * days + hours) * 60 + minutes) * 60 + seconds

    def bytes(self, key: str) -> int | None:
        """Megabytes, as in `limits`."""
        found = self.matched(key, r"[1-9]\d{0,8}", "write megabytes")
        return int(found[0]) * 2**20 if found else None

    def truth(self, key: str) -> bool:
        found = self.matched(key, "|".join(BOOLEANS), "write true or false")
        return BOOLEANS[found[0]] if found else True

    def lines(self, key: str) -> tuple[str, ...]:
        return tuple((self.text(key) or "").splitlines())

    def check_keys(self) -> None:
        for key in self.texts:
            if key not in self.known:
                raise self.fault(key[:40], "is no option", suggest(key, self.known))

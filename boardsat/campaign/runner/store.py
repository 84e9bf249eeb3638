"""Result store: records as lines of a JSON file, and files with checked models and proofs.

The file of records only grows. It survives a crash or kill -9.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import attrgetter
from pathlib import Path

from boardsat.base.compression import Buffer
from boardsat.base.errors import InputError
from boardsat.base.files import write_file
from boardsat.base.json_data import MalformedError
from boardsat.campaign.runner.records import (
    CLOCK,
    Job,
    RunRecord,
    record_from,
    same_answer,
    to_line,
)

NAME = "results.jsonl"
"""Name of the file in the folder of results."""
SYNC_SECONDS = 1.0
"""Time in seconds between synchronizations with the disk."""
MAX_LINE_BYTES = 2**26
"""Maximum size of a line: the model of a large board has some millions of numbers."""
MODEL, PROOF = "model", "proof"
"""Kinds of files that a run may leave in addition to its record."""


class LinesFile:
    """File of lines: read once from the beginning, then appended to. A cut line is ignored."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.separator = ""
        """Line feed if the last line was cut short: the next line must not continue it."""
        self.synced = -SYNC_SECONDS

    def read(self) -> Iterator[bytes]:
        """Yield the lines. A line that is too long comes in pieces, which are not valid JSON."""
        if not self.path.is_file() or self.path.is_symlink():
            # A link would lead the lines elsewhere.
            if os.path.lexists(self.path):
                raise InputError("the path must be a regular file", "remove it", str(self.path))
            return
        with self.path.open("rb") as file:
            while line := file.readline(MAX_LINE_BYTES):
                self.separator = "" if line.endswith(b"\n") else "\n"
                yield line

    def append(self, line: str) -> None:
        """Write a line, which survives the end of this process.

        A power cut may lose the lines of the last second.
        """
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(self.separator + line)
                file.flush()
                if time.monotonic() - self.synced > SYNC_SECONDS:
                    os.fsync(file.fileno())
                    self.synced = time.monotonic()
        except OSError as error:
            # The error of a full disk does not name the file.
            raise OSError(error.errno, error.strerror, str(self.path)) from None
        self.separator = ""


class Store:
    """Records of a folder by the keys of their jobs."""

    def __init__(self, folder: Path, name: str = NAME) -> None:
        self.file = LinesFile(folder / name)
        self.records: dict[str, RunRecord] = {}
        self.outdated = 0
        """Number of records with another definition of limits and times, which are ignored."""
        for line in self.file.read():
            # A damaged line, a cut one, or one of another version: its job is run again.
            with suppress(MalformedError):
                record = record_from(line)
                if record.execution.clock == CLOCK:
                    self.records[record.key] = record
                else:
                    self.outdated += 1

    def find(self, job: Job) -> RunRecord | None:
        """Return the record of a job.

        None if the job was not run, or if its time limit is now higher than that of the record.
        """
        record = self.records.get(job.key)
        if record is None or not _is_of(job, record) or record.skipped:
            return None
        if record.timed_out and _has_more_time(job, record):
            return None
        return same_answer(record, job)

    def keep(self, record: RunRecord) -> None:
        """Store a record, unless its job is to be tried again."""
        if not record.outcome.finished:
            return
        self.records[record.key] = record
        self.file.append(to_line(record))


_identifying_fields = attrgetter(
    *("question.problem", "question.formula", "question.task", "identity.name", "identity.version")
)


def _is_of(job: Job, record: RunRecord) -> bool:
    """Return whether a record agrees with its job: the key in a line may be forged."""
    return _identifying_fields(job) == _identifying_fields(record)


def _has_more_time(job: Job, record: RunRecord) -> bool:
    return record.limits.wall is not None and (
        job.limits.wall is None or job.limits.wall > record.limits.wall
    )


def save_artifact(job: Job, kind: str, pieces: Iterable[Buffer]) -> str:
    """Write a file of a run into the folder that the job names; return the name of the file.

    The file is on the disk before a record refers to it.
    """
    path = Path(job.output.keep) / f".{job.key}.{kind}.part"
    write_file(str(path), pieces)
    sync(path)
    return path.name


def sync(path: Path) -> None:
    """Wait until the content of a file, and its name in the folder, are on the disk."""
    for target in (path, path.parent):
        descriptor = os.open(target, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

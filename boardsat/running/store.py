"""The results so far, one line of JSON each, which survive a crash."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from boardsat.adapters.dimacs.values import MalformedError
from boardsat.generators.errors import InputError
from boardsat.running.records import Job, RunRecord, record_from, same_answer, to_line

NAME = "results.jsonl"
SYNC_SECONDS = 1.0
LONGEST = 2**26
"""Bytes of a line: the model of a large board has some millions."""


class Store:
    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.known: dict[str, RunRecord] = {}
        self.synced = -SYNC_SECONDS
        line = b"\n"
        for line in self._lines():
            # Damaged, cut short, or of another version: it is run again.
            with suppress(MalformedError):
                record = record_from(line)
                self.known[record.key] = record
        # A write that was cut short must not spoil the line after it.
        self.mend = "" if line.endswith(b"\n") else "\n"

    def _lines(self) -> Iterator[bytes]:
        """Those of the file; one that is too long comes in pieces, which are no records."""
        if not self.path.is_file() or self.path.is_symlink():
            # What is kept here would go elsewhere.
            if os.path.lexists(self.path):
                raise InputError("a link, or no file", "remove it", str(self.path))
            return
        with self.path.open("rb") as file:
            while line := file.readline(LONGEST):
                yield line

    def find(self, job: Job) -> RunRecord | None:
        """What is known of a job; nothing if it reached a limit and may take longer now."""
        record = self.known.get(job.key)
        if record is None or not _is_of(job, record):
            return None
        if record.timed_out and _is_longer(job, record):
            return None
        return same_answer(record, job)

    def keep(self, record: RunRecord) -> None:
        if not record.finished:
            return
        self.known[record.key] = record
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(self.mend + to_line(record))
                file.flush()
                # What is written survives the end of this process; a power cut may take a second.
                if time.monotonic() - self.synced > SYNC_SECONDS:
                    os.fsync(file.fileno())
                    self.synced = time.monotonic()
        except OSError as error:
            # A full disk is told without the file that it was full for.
            raise OSError(error.errno, error.strerror, str(self.path)) from None
        self.mend = ""


def _is_of(job: Job, record: RunRecord) -> bool:
    """Whether it says of itself what its key says: anybody can write a line."""
    said = (record.problem, record.formula, record.solver, record.task, record.version)
    return said == (job.problem, job.formula, job.solver, job.task, job.version)


def _is_longer(job: Job, record: RunRecord) -> bool:
    return record.limit is not None and (job.wall is None or job.wall > record.limit)

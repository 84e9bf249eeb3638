"""The results so far, one line of JSON each, which survive a crash."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from boardsat.adapters.answer import End
from boardsat.adapters.dimacs.values import MalformedError
from boardsat.campaign.runner.lines_file import LinesFile
from boardsat.campaign.runner.records import (
    CLOCK,
    Job,
    RunRecord,
    record_from,
    same_answer,
    to_line,
)

NAME = "results.jsonl"


class Store:
    def __init__(self, folder: Path, name: str = NAME) -> None:
        self.file = LinesFile(folder / name)
        self.known: dict[str, RunRecord] = {}
        self.outdated = 0
        """Number of records with another definition of limits and times, which are ignored."""
        for line in self.file.read():
            # Damaged, cut short, or of another version: it is run again.
            with suppress(MalformedError):
                record = record_from(line)
                if record.clock == CLOCK:
                    self.known[record.key] = record
                else:
                    self.outdated += 1

    def find(self, job: Job) -> RunRecord | None:
        """What is known of a job; nothing if it was not run, or may take longer now than it did."""
        record = self.known.get(job.key)
        if record is None or not _is_of(job, record) or record.end is End.GIVEN_UP:
            return None
        if record.timed_out and _is_longer(job, record):
            return None
        return same_answer(record, job)

    def keep(self, record: RunRecord) -> None:
        if not record.finished:
            return
        self.known[record.key] = record
        self.file.add(to_line(record))


def _is_of(job: Job, record: RunRecord) -> bool:
    """Whether it says of itself what its key says: anybody can write a line."""
    said = (record.problem, record.formula, record.solver, record.task, record.version)
    return said == (job.problem, job.formula, job.solver, job.task, job.version)


def _is_longer(job: Job, record: RunRecord) -> bool:
    return record.limit is not None and (job.wall is None or job.wall > record.limit)

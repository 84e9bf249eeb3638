"""The results so far, one line of JSON each, which survive a crash."""

from __future__ import annotations

import os
from pathlib import Path

from boardsat.validation.runs.records import Job, RunRecord, record_from, same_answer, to_line

NAME = "results.jsonl"


class Store:
    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / NAME
        self.known: dict[str, RunRecord] = {}
        text = self.path.read_text("utf-8") if self.path.exists() else ""
        # A write that was cut short must not spoil the line after it.
        self.mend = "" if text.endswith("\n") or not text else "\n"
        for line in text.splitlines():
            try:
                record = record_from(line)
            except (ValueError, TypeError, KeyError):
                # Cut short, or of another version: it is run again.
                continue
            self.known[record.key] = record

    def find(self, job: Job) -> RunRecord | None:
        """What is known of a job; nothing if it reached a limit and may take longer now."""
        record = self.known.get(job.key)
        if record is None or (record.timed_out and _is_longer(job, record)):
            return None
        return same_answer(record, job)

    def keep(self, record: RunRecord) -> None:
        if not record.finished:
            return
        self.known[record.key] = record
        with self.path.open("a", encoding="utf-8") as file:
            file.write(self.mend + to_line(record))
            file.flush()
            os.fsync(file.fileno())
        self.mend = ""


def _is_longer(job: Job, record: RunRecord) -> bool:
    return record.limit is not None and (job.wall is None or job.wall > record.limit)

"""The books of an engine: which jobs are to be run, and who is told what came of them.

A job whose result is stored is not run, and of several that are alike only one.
"""

from __future__ import annotations

from typing import Protocol

from boardsat.adapters.answer import End
from boardsat.campaign.runner import machine
from boardsat.campaign.runner.records import Job, RunRecord, same_answer, unanswered
from boardsat.campaign.runner.store import Store

TRIES = 3
"""So often a job is begun whose worker dies."""


class Watch(Protocol):
    """Whoever shows how far it is."""

    def began(self, job: Job) -> None: ...

    def ended(self, job: Job, record: RunRecord) -> None: ...

    def tick(self) -> None: ...


class Unwatched:
    """Nobody."""

    def began(self, job: Job) -> None: ...

    def ended(self, job: Job, record: RunRecord) -> None: ...

    def tick(self) -> None: ...


class JobSource(Protocol):
    """Whoever knows what to run."""

    def next(self) -> Job | None:
        """None where nothing can be run now, and at the end."""

    def ended(self, job: Job, record: RunRecord) -> None: ...


class Books:
    def __init__(self, store: Store, watch: Watch) -> None:
        self.store, self.watch = store, watch
        self.twins: dict[str, list[Job]] = {}

    def next(self, source: JobSource) -> Job | None:
        """A job that must be run; None where there is none now."""
        while (job := source.next()) is not None:
            if job.key in self.twins:
                # The same formula under another name is running.
                self.twins[job.key].append(job)
            elif (record := self.store.find(job)) is not None:
                self._tell(source, job, record)
            else:
                self.twins[job.key] = []
                return job
        return None

    def keep(self, source: JobSource, job: Job, record: RunRecord) -> None:
        self.store.keep(record)
        for each in (job, *self.twins.pop(job.key)):
            self._tell(source, each, record)

    def _tell(self, source: JobSource, job: Job, record: RunRecord) -> None:
        named = same_answer(record, job)
        source.ended(job, named)
        self.watch.ended(job, named)


def lost(job: Job, how: str) -> RunRecord:
    """The record of a job that has cost all its workers their lives."""
    reason = f"lost: its worker died {job.tries} times ({how} at last)"
    return unanswered(job, reason=reason, end=End.CRASH, host=machine.host())

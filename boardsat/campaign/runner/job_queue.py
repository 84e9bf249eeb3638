"""Job queue with deduplication: stored results are reused, identical jobs are run once."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from boardsat.adapters.answer import TerminationReason
from boardsat.campaign.runner.records import Job, RunOutcome, RunRecord, same_answer, unanswered
from boardsat.campaign.runner.store import Store

MAX_TRIES = 3
"""Maximum number of times that a job is started, if its worker dies each time."""


class RunListener(Protocol):
    """Callbacks that report progress."""

    def began(self, job: Job) -> None:
        """Report that a worker has begun a job."""

    def ended(self, job: Job, record: RunRecord) -> None:
        """Report the record of a job, new or stored."""

    def tick(self) -> None:
        """Update the display; called several times a second."""


class NullListener:
    """Listener that ignores everything."""

    def began(self, job: Job) -> None: ...

    def ended(self, job: Job, record: RunRecord) -> None: ...

    def tick(self) -> None: ...


class JobSource(Protocol):
    """Source of jobs, which may depend on the results of earlier ones.

    `next` is called whenever a worker is idle, also after it has returned None.
    """

    def next(self) -> Job | None:
        """Return the next job. None if none can be run now, or at the end."""

    def ended(self, job: Job, record: RunRecord) -> None:
        """Take note of the record of a job, new or stored."""


class JobQueue:
    """Queue of the jobs that must be run: those that are neither stored nor running."""

    def __init__(self, store: Store, listener: RunListener) -> None:
        self.store, self.listener = store, listener
        self.duplicates: dict[str, list[Job]] = {}
        """Jobs that wait for the record of a running job with the same key, by that key."""

    def next(self, source: JobSource) -> Job | None:
        """Return a job that must be run. None if no job can be run now."""
        while (job := source.next()) is not None:
            if job.key in self.duplicates:
                # The same formula under another name is running.
                self.duplicates[job.key].append(job)
            elif (record := self.store.find(job)) is not None:
                self._notify(source, job, record)
            else:
                self.duplicates[job.key] = []
                return job
        return None

    def keep(self, source: JobSource, job: Job, record: RunRecord) -> None:
        """Store the record of a job; report it for the job and all its duplicates."""
        self.store.keep(record)
        for duplicate in (job, *self.duplicates.pop(job.key)):
            self._notify(source, duplicate, record)

    def _notify(self, source: JobSource, job: Job, record: RunRecord) -> None:
        renamed = same_answer(record, job)
        source.ended(job, renamed)
        self.listener.ended(job, renamed)


def retry(job: Job) -> Job | None:
    """Return the job for another try after its worker has died. None after the last try."""
    attempt = job.attempt
    if attempt.tries >= MAX_TRIES:
        return None
    return replace(job, attempt=replace(attempt, tries=attempt.tries + 1))


def lost(job: Job, cause: str) -> RunRecord:
    """Return the record of a job whose workers died at every try."""
    reason = f"lost: its worker died {job.attempt.tries} times ({cause} at last)"
    return unanswered(job, RunOutcome(reason=reason, end=TerminationReason.CRASH))

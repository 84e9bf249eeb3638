"""The progress of a campaign: a line that is updated on a terminal, one a minute in a log."""

from __future__ import annotations

import sys
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import TextIO

from boardsat.adapters.answer import End
from boardsat.campaign.runner.job_queue import Watch
from boardsat.campaign.runner.records import Job, RunRecord
from boardsat.terminal.safe import escaped, unguarded

LOG_SECONDS = 60.0
SCREEN_SECONDS = 0.2


class CampaignProgress:
    """Told of every run; it prints when it is time."""

    def __init__(self, runs: int, before: int, stream: TextIO | None = None) -> None:
        self.runs, self.before = runs, before
        stream = stream or sys.stderr
        self.live = stream.isatty()
        self.stream = unguarded(stream) if self.live else stream
        self.every = SCREEN_SECONDS if self.live else LOG_SECONDS
        self.begun = self.told = time.monotonic()
        self.done = self.running = self.failed = 0
        self.solved: Counter[str] = Counter()

    def began(self, job: Job) -> None:
        self.running += 1
        self.tick()

    def ended(self, job: Job, record: RunRecord) -> None:
        self.done += 1
        # Those that were there before, or are given up, have never begun.
        begun = self.done > self.before and record.end is not End.GIVEN_UP
        self.running = max(0, self.running - begun)
        self.failed += bool(record.fault) or not record.finished
        if record.answered and not record.fault:
            self.solved[Path(record.solver).stem] += 1
        self.tick()

    def tick(self) -> None:
        if time.monotonic() - self.told >= self.every:
            self._print()

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        """The last state stays, where somebody follows it."""
        if self.live:
            self._print()
            self.stream.write("\n")
            self.stream.flush()

    def _print(self) -> None:
        self.told = time.monotonic()
        line = escaped(self.line())
        self.stream.write(f"\r\033[K{line}" if self.live else f"{line}\n")
        self.stream.flush()

    def line(self) -> str:
        """How far it is, how quick, until when, and who is best."""
        new = self.done - self.before
        seconds = time.monotonic() - self.begun
        parts = [f"{self.done:,} of {self.runs:,} runs", f"{self.running} running"]
        if new > 0 and seconds > 0:
            rate = new / seconds
            left = timedelta(seconds=round((self.runs - self.done) / rate))
            parts += [f"{rate:.1f} a second" if rate >= 1 else f"{60 * rate:.1f} a minute"]
            parts += [f"{left} left"]
        parts += [f"{self.failed} failed"] if self.failed else []
        if self.solved:
            name, number = self.solved.most_common(1)[0]
            parts.append(f"best: {name} with {number:,}")
        return ", ".join(parts)

"""Progress display of a validation: a table updated in place on a terminal, lines otherwise."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Sequence
from typing import TextIO

from boardsat.campaign.runner.job_queue import RunListener
from boardsat.campaign.runner.records import COUNT, Job, RunRecord
from boardsat.terminal.streams import escape_controls, unescaped_stream
from boardsat.terminal.table import table
from boardsat.workflows.validate.result import answer_text


def watch(jobs: Sequence[Job]) -> RunListener:
    """Return a listener that displays progress on standard error."""
    stream = sys.stderr
    return _Table(jobs, stream) if stream.isatty() else _Lines(stream)


class _Lines:
    """Listener that prints a line when a run ends."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def began(self, job: Job) -> None:
        """Do nothing."""

    def ended(self, job: Job, record: RunRecord) -> None:
        answer = answer_text(record) + (
            f" ({record.outcome.reason})" if record.outcome.reason else ""
        )
        print(
            f"{record.question.varied_encoding}: {record.identity.label} {record.question.task}: "
            f"{answer}, {record.usage.wall:.2f} s",
            file=self.stream,
            flush=True,
        )

    def tick(self) -> None:
        """Do nothing; printed lines are not updated."""


class _Table:
    """Listener that updates a table: a row for each formula, a column for each solver and task."""

    def __init__(self, jobs: Sequence[Job], stream: TextIO) -> None:
        self.stream = unescaped_stream(stream)
        self.rows: dict[str, dict[str, str]] = {}
        self.columns: dict[str, None] = {}
        self.running: dict[tuple[str, str], float] = {}
        self.height = 0
        for job in jobs:
            self._put(job, ".")

    def _position(self, job: Job) -> tuple[str, str]:
        solver = job.identity.label
        column = f"{solver} #" if job.question.task == COUNT else solver
        return job.question.varied_encoding, column

    def _put(self, job: Job, cell: str) -> None:
        row, column = self._position(job)
        self.rows.setdefault(row, {})[column] = cell
        self.columns.setdefault(column)

    def began(self, job: Job) -> None:
        self.running[self._position(job)] = time.monotonic()
        self._put(job, "...")
        self.tick()

    def ended(self, job: Job, record: RunRecord) -> None:
        self.running.pop(self._position(job), None)
        self._put(job, answer_text(record))
        self.tick()

    def tick(self) -> None:
        now = time.monotonic()
        for (row, column), begun in self.running.items():
            self.rows[row][column] = f"{now - begun:.0f} s"
        columns = list(self.columns)
        cells = [
            [row, *(row_cells.get(c, "") for c in columns)] for row, row_cells in self.rows.items()
        ]
        size = shutil.get_terminal_size()
        # The cursor cannot move up to lines that have scrolled away.
        lines = table(["", *columns], cells).splitlines()
        lines = [*lines[:2], *lines[2:][-(size.lines - 4) :]]
        up = f"\033[{self.height}F" if self.height else ""
        text = "\n".join(f"\033[K{escape_controls(line)[: size.columns - 1]}" for line in lines)
        self.stream.write(f"{up}{text}\033[J\n")
        self.stream.flush()
        self.height = len(lines)

"""Run a campaign: every solver and seed of a campaign file on every instance.

Examples:
    boardsat run docs/campaigns/small.yaml -o out/small
    boardsat run docs/campaigns/small.yaml -o out/small --dry-run
    boardsat run big.yaml -o out/big --on tcp://node1:8786

Records of finished runs are stored in the folder; repeating the command continues an interrupted
campaign. docs/campaigns.md describes campaign files; `boardsat results` and `boardsat report` show
the results.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from boardsat.base.text import one_line, pluralize
from boardsat.commands import _instance_options, _output_files, _run_options

if TYPE_CHECKING:
    from boardsat.campaign.runner.job_queue import RunListener
    from boardsat.campaign.runner.records import Job, RunRecord
    from boardsat.campaign.workflow import Forecast

EXIT_CODES = {
    0: "every run has a record",
    1: "an answer is wrong",
    3: "some runs could not be done, and have no record",
}

MAX_FAILED_SHOWN = 10
"""Maximum number of failed runs that are printed: often all have the same reason."""
LOG_SECONDS = 60.0
"""Interval between lines of progress in a log file."""
SCREEN_SECONDS = 0.2
"""Interval between updates of the line of progress on a terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("campaign", metavar="CAMPAIGN.yaml", help="instances, solvers and limits")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="DIR",
        help="the folder of results: new, or of a campaign to continue",
    )
    _run_options.add_jobs(parser)
    parser.add_argument(
        "--on",
        default="local",
        metavar="WHERE",
        help="local (default), tcp://HOST:PORT of a Dask scheduler, slurm, pbs, lsf, sge, htcondor",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print the number of runs, their time and disk space"
    )
    _instance_options.add_build_limit(parser)


def run(options: argparse.Namespace) -> int:
    from boardsat.campaign import workflow
    from boardsat.campaign.parser import read_campaign
    from boardsat.campaign.report.measurement import BUSY, warnings

    campaign, folder = read_campaign(Path(options.campaign)), Path(options.output)
    open_engine, cores = workflow.select_engine(options.on, options.jobs, campaign, _print_note)
    if options.dry_run:
        print(_forecast_line(workflow.forecast(campaign, folder), cores))
        return 0
    note = f"finished runs are stored in {folder}; the same command continues"
    with _output_files.add_interrupt_note(folder, note):
        result = workflow.run(campaign, folder, open_engine, CampaignProgress)
    if result.note:
        _print_note(f"{folder}: {result.note}")
    if result.cut:
        _print_note(f"{result.cut}: its last line was cut; that run was done again")
    for record in (*result.wrong, *result.failed[:MAX_FAILED_SHOWN]):
        name = f"{record.question.instance}: {record.identity.label} {record.identity.version}"
        print(one_line(f"{name}: {record.outcome.fault or record.outcome.reason}"))
    print(
        f"{one_line(str(folder))}: {pluralize(result.runs, 'run')}, "
        f"{result.num_stored:,} from before, {result.answered:,} answered, "
        f"{len(result.wrong):,} wrong"
        + (f", {result.given_up:,} given up" if result.given_up else "")
        + (f", {len(result.failed):,} not done" if result.failed else "")
    )
    for line in warnings(result.records):
        print(one_line(f"{BUSY}: {line}"))
    return 1 if result.wrong else 3 if result.failed else 0


def _print_note(text: str) -> None:
    """Print a line to standard error."""
    print(one_line(text), file=sys.stderr, flush=True)


def _forecast_line(forecast: Forecast, cores: int) -> str:
    from datetime import timedelta

    longest = timedelta(seconds=round(forecast.seconds / cores))
    formulas = f"{forecast.formulas / 1e6:,.1f} MB of formulas"
    return (
        f"{pluralize(forecast.runs, 'run')} of {pluralize(forecast.instances, 'instance')}, "
        f"{forecast.num_stored:,} done already; at most {longest} on {pluralize(cores, 'core')}; "
        f"{formulas} at most in the cache, results about {forecast.results / 1e6:,.1f} MB"
    )


class CampaignProgress:
    """Listener that prints progress: a line that is updated on a terminal, one a minute in a log.

    Parameters
    ----------
    runs : int
        Number of runs of the campaign.
    before : int
        Number of runs that have a record already.
    stream : TextIO, optional
        Stream to print to. None: standard error.
    """

    def __init__(self, runs: int, before: int, stream: TextIO | None = None) -> None:
        from boardsat.terminal.streams import unescaped_stream

        self.runs, self.before = runs, before
        stream = stream or sys.stderr
        self.live = stream.isatty()
        self.stream = unescaped_stream(stream) if self.live else stream
        self.interval = SCREEN_SECONDS if self.live else LOG_SECONDS
        self.started = self.printed = time.monotonic()
        self.done = self.running = self.failed = 0
        self.solved: Counter[str] = Counter()

    def began(self, job: Job) -> None:
        self.running += 1
        self.tick()

    def ended(self, job: Job, record: RunRecord) -> None:
        self.done += 1
        # Runs with an earlier record, and skipped ones, have never begun.
        begun = self.done > self.before and not record.skipped
        self.running = max(0, self.running - begun)
        self.failed += bool(record.outcome.fault) or not record.outcome.finished
        if record.solved:
            self.solved[record.identity.label] += 1
        self.tick()

    def tick(self) -> None:
        if time.monotonic() - self.printed >= self.interval:
            self._print()

    def __enter__(self) -> RunListener:
        return self

    def __exit__(self, *_: object) -> None:
        """Print the last state on a terminal."""
        if self.live:
            self._print()
            self.stream.write("\n")
            self.stream.flush()

    def _print(self) -> None:
        from boardsat.terminal.streams import escape_controls

        self.printed = time.monotonic()
        line = escape_controls(self.line())
        self.stream.write(f"\r\033[K{line}" if self.live else f"{line}\n")
        self.stream.flush()

    def line(self) -> str:
        """Return the numbers of runs, the speed, the time left and the best solver."""
        from datetime import timedelta

        new = self.done - self.before
        seconds = time.monotonic() - self.started
        texts = [f"{self.done:,} of {self.runs:,} runs", f"{self.running} running"]
        if new > 0 and seconds > 0:
            rate = new / seconds
            remaining = timedelta(seconds=round((self.runs - self.done) / rate))
            texts += [f"{rate:.1f} a second" if rate >= 1 else f"{60 * rate:.1f} a minute"]
            texts += [f"{remaining} left"]
        texts += [f"{self.failed} failed"] if self.failed else []
        if self.solved:
            name, number = self.solved.most_common(1)[0]
            texts.append(f"best: {name} with {number:,}")
        return ", ".join(texts)

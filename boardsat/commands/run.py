"""Run a campaign: every instance, solver and seed of a file, each once.

Examples:
    boardsat run docs/campaigns/small.yaml -o out/small
    boardsat run docs/campaigns/small.yaml -o out/small --dry-run
    boardsat run big.yaml -o out/big --on tcp://node1:8786

What was finished is kept in the folder; the same command goes on from there. docs/campaigns.md
describes campaigns, `boardsat results` and `boardsat report` show what came of one.
"""

from __future__ import annotations

import argparse
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from boardsat.base.text import one_line, pluralize
from boardsat.commands import _instance, _running

if TYPE_CHECKING:
    from boardsat.campaign.workflow import Forecast

EXIT_CODES = {
    0: "every run has a record",
    1: "an answer is wrong",
    3: "some runs could not be done, and have no record",
}


SHOWN = 10
"""Of the runs that could not be done: often all have the same reason."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("campaign", metavar="CAMPAIGN.yaml", help="instances, solvers and limits")
    parser.add_argument(
        "-o", "--output", required=True, metavar="DIR", help="a new folder, or one to go on with"
    )
    _running.add_jobs(parser)
    parser.add_argument(
        "--on",
        default="local",
        metavar="WHERE",
        help="local (default), tcp://HOST:PORT of a Dask scheduler, slurm, pbs, lsf, sge, htcondor",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print how many runs, how long, how much disk"
    )
    _instance.add_work(parser)


def run(options: argparse.Namespace) -> int:
    from boardsat.campaign import workflow
    from boardsat.campaign.engines import engine
    from boardsat.campaign.parser import read_campaign
    from boardsat.campaign.progress import CampaignProgress
    from boardsat.campaign.report.measurement import BUSY, warnings

    campaign, folder = read_campaign(Path(options.campaign)), Path(options.output)
    opened, cores = engine(options.on, options.jobs, campaign, _tell)
    if options.dry_run:
        print(_told(workflow.forecast(campaign, folder), cores))
        return 0
    try:
        done = workflow.run(campaign, folder, opened, CampaignProgress)
    except KeyboardInterrupt:
        if not folder.exists():
            raise
        raise KeyboardInterrupt(
            f"what was finished is kept in {folder}; the same command goes on from there"
        ) from None
    if done.note:
        _tell(f"{folder}: {done.note}")
    if done.cut:
        _tell(f"{done.cut}: its last line was cut; that run was done again")
    for record in (*done.wrong, *done.failed[:SHOWN]):
        where = f"{record.instance}: {record.name} {record.version}"
        print(one_line(f"{where}: {record.fault or record.reason}"))
    print(
        f"{one_line(str(folder))}: {pluralize(done.runs, 'run')}, {done.before:,} from before, "
        f"{done.answered:,} answered, {len(done.wrong):,} wrong"
        + (f", {done.given_up:,} given up" if done.given_up else "")
        + (f", {len(done.failed):,} not done" if done.failed else "")
    )
    for line in warnings(done.records):
        print(one_line(f"{BUSY}: {line}"))
    return 1 if done.wrong else 3 if done.failed else 0


def _tell(text: str) -> None:
    """What somebody should know while it goes on."""
    print(one_line(text), file=sys.stderr, flush=True)


def _told(found: Forecast, cores: int) -> str:
    longest = timedelta(seconds=round(found.seconds / cores))
    formulas = f"{found.formulas / 1e6:,.1f} MB of formulas"
    return (
        f"{pluralize(found.runs, 'run')} of {pluralize(found.instances, 'instance')}, "
        f"{found.before:,} done already; at most {longest} on {pluralize(cores, 'core')}; "
        f"{formulas} at most in the cache, results about {found.results / 1e6:,.1f} MB"
    )

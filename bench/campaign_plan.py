"""A campaign of 100,000 runs: planned, resumed and reported in 1 GB each; total CPU time.

The solver is replaced by one that answers at once. All but some of the runs are in the folder
before it is gone on with, as if they had been done.
"""

from __future__ import annotations

import os
import resource
from dataclasses import replace
from pathlib import Path

from bench._measure import BOARDSAT, Row, process, scratch
from boardsat.adapters.answer import Status, Usage
from boardsat.campaign import folder as folders
from boardsat.campaign.parser import read_campaign
from boardsat.campaign.plan import draft_plan
from boardsat.campaign.runner.records import (
    CLOCK,
    Execution,
    Job,
    RunOutcome,
    RunRecord,
    to_line,
    unanswered,
)

SOLVERS = 4
SEEDS = 25
SHUFFLES = 250
SIZES = (2, 3, 4, 5)
RUNS = SOLVERS * SEEDS * SHUFFLES * len(SIZES)
MISSING = 100
SECONDS, MEMORY = 60, 10**9

SOLVER = """\
title: answers at once
program: sh
command: "{{ program }} -c 'echo s UNSATISFIABLE; exit 20' {{ file }} {{ seed }}"
dialect: competition
can: decide
"""


def run() -> list[Row]:
    with scratch() as folder:
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        path, target = _campaign(folder), folder / "out"
        arguments = [BOARDSAT, "run", str(path), "-o", str(target)]
        planned = process([*arguments, "--dry-run"], prepare=_bounded)
        _fill(path, target)
        resumed = process(arguments, prepare=_bounded)
        if (
            f"{RUNS:,} runs, {RUNS - MISSING:,} from before, {RUNS:,} answered"
            not in resumed.output
        ):
            raise RuntimeError(resumed.output)
        page = folder / "page.html"
        report = process([BOARDSAT, "report", str(target), "--html", str(page)], prepare=_bounded)
    steps = {"planned": planned, f"gone on with, {MISSING} missing": resumed, "reported": report}
    rows = [
        Row(f"{RUNS:,} runs {what}, CPU (wall)", f"{outcome.cpu:.1f} s ({outcome.wall:.1f} s)")
        for what, outcome in steps.items()
    ]
    cpu, wall = (
        sum(getattr(outcome, name) for outcome in steps.values()) for name in ("cpu", "wall")
    )
    return [
        *rows,
        Row(
            f"{RUNS:,} runs, all three, CPU (wall)",
            f"{cpu:.1f} s ({wall:.1f} s)",
            target=f"at most {SECONDS} s, in {MEMORY / 1e9:g} GB",
            met=cpu <= SECONDS,
        ),
    ]


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _campaign(folder: Path) -> Path:
    names = [f"quick{number}.yaml" for number in range(SOLVERS)]
    for name in names:
        (folder / name).write_text(SOLVER)
    path = folder / "campaign.yaml"
    sizes, shuffles, seeds = (
        ", ".join(map(str, numbers)) for numbers in (SIZES, range(SHUFFLES), range(SEEDS))
    )
    path.write_text(
        f"instances:\n  - {{problem: pigeonhole, set: {{n: [{sizes}]}}, shuffle: [{shuffles}]}}\n"
        f"solvers: [{', '.join(names)}]\nruntime: native\nseeds: [{seeds}]\n"
    )
    return path


def _fill(path: Path, target: Path) -> None:
    """Write the records of all runs except the last ones."""
    campaign = read_campaign(path)
    with folders.open_results(target, campaign.text) as (instances, store):
        jobs = list(draft_plan(campaign).complete(instances).jobs())
        with store.file.path.open("a") as file:
            file.writelines(to_line(_record(job)) for job in jobs[MISSING:])


def _record(job: Job) -> RunRecord:
    outcome = RunOutcome(Status.UNSATISFIABLE.name, unchecked=("proof",))
    execution = Execution(("sh", job.source.file), host="bench", clock=CLOCK)
    return replace(unanswered(job, outcome, execution), usage=Usage(0.004, 0.002, 2**20))

"""Report of a campaign of 100,000 runs: CPU time of a process limited to 1 GB of memory."""

from __future__ import annotations

import json
import random
import resource
from collections.abc import Iterator
from pathlib import Path

from bench._measure import BOARDSAT, Row, process, scratch
from boardsat.adapters.answer import Usage
from boardsat.adapters.runtimes import Limits
from boardsat.base import json_data
from boardsat.campaign.folder import (
    CAMPAIGN_FILE,
    FORMAT,
    CampaignInstance,
    FormulaSize,
    InstanceDescription,
)
from boardsat.campaign.folder import INSTANCES_FILE as INSTANCES
from boardsat.campaign.runner.records import (
    CLOCK,
    DECIDE,
    Attempt,
    Execution,
    FormulaSource,
    Question,
    RunOutcome,
    RunRecord,
    SolverIdentity,
    to_line,
)
from boardsat.campaign.runner.store import NAME as RESULTS

RUNS = 100_000
SOLVERS = ("cadical", "kissat", "minisat", "clasp")
SEEDS = 5
LIMIT = 60.0
SECONDS, MEMORY = 60, 10**9


def run() -> list[Row]:
    with scratch() as folder:
        _write(folder)
        page = folder / "page.html"
        outcome = process([BOARDSAT, "report", str(folder), "--html", str(page)], prepare=_bounded)
        size = page.stat().st_size / 1e6
    return [
        Row(
            f"{RUNS:,} runs to a page, CPU (wall)",
            f"{outcome.cpu:.1f} s ({outcome.wall:.1f} s)",
            f"page of {size:.1f} MB",
            target=f"at most {SECONDS} s, in {MEMORY / 1e9:g} GB",
            met=outcome.cpu <= SECONDS,
        )
    ]


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _write(folder: Path) -> None:
    """Write a results folder with synthetic runs of solvers on tours in two encodings."""
    chance = random.Random(1)
    instances = list(_instances(RUNS // len(SOLVERS) // SEEDS))
    (folder / CAMPAIGN_FILE).write_text(json.dumps({"format": FORMAT, "campaign": "title: Bench"}))
    with (folder / INSTANCES).open("w") as file:
        file.writelines(json.dumps(json_data.encode(instance)) + "\n" for instance in instances)
    with (folder / RESULTS).open("w") as file:
        for instance in instances:
            for number in range(len(SOLVERS) * SEEDS):
                file.write(to_line(_record(instance, number, chance)))


def _instances(number: int) -> Iterator[CampaignInstance]:
    for index in range(number):
        encoding, n = ("binary", "unary")[index % 2], 5 + index % 40
        name = f"tour-{n}x{n}-closed-{encoding}-{index}"
        yield CampaignInstance(
            name,
            f"{index:064x}",
            FormulaSize(10**6, 10**3, 10**4),
            InstanceDescription("tour", encoding, parameters={"n": n}),
            FormulaSource(),
        )


def _record(instance: CampaignInstance, number: int, chance: random.Random) -> RunRecord:
    wall = min(LIMIT, 10 ** chance.uniform(-2, 2))
    description = instance.description
    return RunRecord(
        key=f"{instance.formula}{number}",
        question=Question(
            description.problem,
            description.encoding,
            variant="",
            expected=None,
            formula=instance.formula,
            task=DECIDE,
            instance=instance.name,
        ),
        identity=SolverIdentity(SOLVERS[number % len(SOLVERS)], "native", "1"),
        limits=Limits(LIMIT),
        attempt=Attempt(seed=number // len(SOLVERS)),
        outcome=RunOutcome("SATISFIABLE" if wall < LIMIT else "UNKNOWN"),
        usage=Usage(wall),
        execution=Execution(
            command=("solver", "file.cnf"),
            statistics={"conflicts": 1000, "decisions": 2000},
            host="bench",
            clock=CLOCK,
        ),
    )

"""2,000 small native runs by `boardsat run` beside the same solvers run by hand, on the same cores.

By hand means the same command lines, one after the other on each core, and nothing else: no limit,
no check of the answer, no record. Ours is the whole command, from its start to its end.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bench._measure import BOARDSAT, Row, process, scratch
from boardsat.adapters import solvers
from boardsat.campaign.folder import read_results
from boardsat.campaign.runner.records import RunRecord
from boardsat.campaign.runner.store import NAME

SOLVERS = ("minisat", "cadical", "cryptominisat", "clasp")
SEEDS = 50
NUM_BATCHES = 2
"""Ours and theirs take turns, so that what else the machine does falls on both."""
MOST_MS = 20
LEAST_USE = 0.9
CAMPAIGN = """\
encodings: [crt, relative, ve, hve, undirected]
instances:
  - {{problem: tour, set: {{n: [8, 10]}}}}
solvers: [{solvers}]
seeds: [{seeds}]
runtime: native
limits: {{timeout: 600}}
"""


@dataclass(frozen=True)
class Taken:
    wall: float = 0.0
    cpu: float = 0.0

    def __add__(self, addend: Taken) -> Taken:
        return Taken(self.wall + addend.wall, self.cpu + addend.cpu)


def run() -> list[Row]:
    installed = [name for name in SOLVERS if shutil.which(solvers.load(name).program.name)]
    if not installed:
        return [Row("campaign", "no solver on PATH")]
    cores = sorted(os.sched_getaffinity(0))
    records: list[RunRecord] = []
    ours, theirs = Taken(), Taken()
    with scratch() as folder:
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        # The first one makes the formulas, and its bytecode.
        _ours(folder, installed, range(1))
        for batch in range(NUM_BATCHES):
            seeds = range(1 + batch * SEEDS // NUM_BATCHES, 1 + (batch + 1) * SEEDS // NUM_BATCHES)
            new_records, mine = _ours(folder, installed, seeds)
            theirs += _by_hand([record.execution.command for record in new_records], cores)
            ours += mine
            records += new_records
    return _rows(records, ours, theirs, len(cores))


def _rows(records: Sequence[RunRecord], ours: Taken, theirs: Taken, cores: int) -> list[Row]:
    runs = len(records)
    answered = sum(record.answered and not record.outcome.fault for record in records)
    solving = sum(record.usage.wall for record in records)
    solving_cpu = sum(record.usage.cpu or 0.0 for record in records)
    mean = f"{1000 * solving / runs:.0f} ms, {1000 * solving_cpu / runs:.0f} ms of CPU"
    return [
        Row(f"campaign, {runs:,} native runs: recorded, answered", f"{runs:,}, {answered:,}"),
        Row("campaign, a solver's run in the mean", mean),
        _compared(f"campaign on {cores} cores, wall", ours.wall, theirs.wall),
        _compared("campaign, CPU", ours.cpu, theirs.cpu),
        _overhead("wall, of a core", cores * (ours.wall - theirs.wall) / runs),
        _overhead("CPU", (ours.cpu - theirs.cpu) / runs),
        # The same solvers take more on a machine that others use, in one part or in the other. This
        # one is of the same runs; what starts a program, 1 to 2 ms, counts as the program's.
        _overhead("CPU, by the records", (ours.cpu - solving_cpu) / runs),
        _use("campaign, cores with a solver on them", solving / (cores * ours.wall)),
        _use("campaign, CPU of solvers in all CPU of ours", solving_cpu / ours.cpu),
    ]


def _compared(what: str, ours: float, theirs: float) -> Row:
    return Row(what, f"{ours:.2f} s", f"{theirs:.2f} s", f"{ours / theirs:.2f}")


def _overhead(of: str, seconds: float) -> Row:
    return Row(
        f"campaign, beside the solver by hand ({of})",
        f"{1000 * seconds:.1f} ms a run",
        target=f"at most {MOST_MS} ms",
        met=1000 * seconds <= MOST_MS,
    )


def _use(what: str, share: float) -> Row:
    return Row(
        what,
        f"{100 * share:.0f}%",
        target=f"at least {100 * LEAST_USE:.0f}%",
        met=share >= LEAST_USE,
    )


def _ours(
    folder: Path, names: Sequence[str], seeds: Sequence[int]
) -> tuple[list[RunRecord], Taken]:
    """Every run has one record, and no two are of one run."""
    path, target = folder / "campaign.yaml", folder / f"from{seeds[0]}"
    numbers = ", ".join(map(str, seeds))
    path.write_text(CAMPAIGN.format(solvers=", ".join(names), seeds=numbers))
    outcome = process([BOARDSAT, "run", str(path), "-o", str(target)])
    records = list(read_results(target)[1].records.values())
    lines = len((target / NAME).read_text().splitlines())
    if not lines == len(records) == 10 * len(names) * len(seeds):
        raise RuntimeError(f"{lines} lines, {len(records)} records")
    return records, Taken(outcome.wall, outcome.cpu)


def _by_hand(commands: Sequence[Sequence[str]], cores: Sequence[int]) -> Taken:
    """Run the solver by hand on all files, distributed over the cores."""
    remaining = iter(commands)

    def work(core: int) -> None:
        os.sched_setaffinity(0, {core})
        while command := next(remaining, None):
            subprocess.run(command, capture_output=True, check=False)

    cpu_before, begun = _cpu(), time.perf_counter()
    with ThreadPoolExecutor(len(cores)) as threads:
        list(threads.map(work, cores))
    return Taken(time.perf_counter() - begun, _cpu() - cpu_before)


def _cpu() -> float:
    """Return the CPU seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime

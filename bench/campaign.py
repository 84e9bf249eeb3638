"""Small runs by `boardsat run` beside the same solvers run by hand, on the same cores.

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
from boardsat.campaigns.folder import read
from boardsat.running.records import RunRecord

TURNS = 2
SEEDS = 40
SOLVERS = ("minisat", "cadical")
MOST_MS = 20
LEAST_USE = 0.9
CAMPAIGN = """\
instances:
  - {{problem: queens, set: {{n: [6, 7, 8, 9, 10]}}}}
  - {{problem: tour, encoding: binary, set: {{n: 6}}}}
solvers: [{solvers}]
seeds: [{seeds}]
runtime: native
limits: {{timeout: 60}}
"""


@dataclass(frozen=True)
class Taken:
    wall: float
    cpu: float


def run() -> list[Row]:
    here = [name for name in SOLVERS if shutil.which(solvers.load(name).program)]
    if not here:
        return [Row("campaign", "no solver on PATH")]
    cores = sorted(os.sched_getaffinity(0))
    with scratch() as folder:
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        path = folder / "campaign.yaml"
        seeds = ", ".join(map(str, range(SEEDS)))
        path.write_text(CAMPAIGN.format(solvers=", ".join(here), seeds=seeds))
        # The first one makes the formulas, and its bytecode.
        records, _ = _ours(path, folder / "first")
        ours, theirs = [], []
        for turn in range(TURNS):
            theirs.append(_by_hand([record.command for record in records], cores))
            ours.append(_ours(path, folder / str(turn)))
    best = min(ours, key=lambda pair: pair[1].wall)
    return _rows(best, min(theirs, key=lambda taken: taken.wall), len(cores))


def _rows(ours: tuple[list[RunRecord], Taken], theirs: Taken, cores: int) -> list[Row]:
    records, mine = ours
    runs = len(records)
    use = sum(record.wall for record in records) / (cores * mine.wall)
    return [
        Row(
            f"campaign, {runs} native runs on {cores} cores (wall)",
            f"{mine.wall:.2f} s",
            f"{theirs.wall:.2f} s",
            f"{mine.wall / theirs.wall:.2f}",
        ),
        _overhead("wall, of a core", cores * (mine.wall - theirs.wall) / runs),
        # This one does not depend on what else the machine does.
        _overhead("CPU", (mine.cpu - theirs.cpu) / runs),
        Row(
            "campaign, cores in use by solvers",
            f"{100 * use:.0f}%",
            target=f"at least {100 * LEAST_USE:.0f}%",
            met=use >= LEAST_USE,
        ),
    ]


def _overhead(of: str, seconds: float) -> Row:
    return Row(
        f"campaign, beside the solver by hand ({of})",
        f"{1000 * seconds:.1f} ms a run",
        target=f"at most {MOST_MS} ms",
        met=1000 * seconds <= MOST_MS,
    )


def _ours(path: Path, target: Path) -> tuple[list[RunRecord], Taken]:
    done = process([BOARDSAT, "run", str(path), "-o", str(target)])
    return list(read(target)[1].known.values()), Taken(done.wall, done.cpu)


def _by_hand(commands: Sequence[Sequence[str]], cores: Sequence[int]) -> Taken:
    """All of them, dealt out to the cores."""
    left = iter(commands)

    def work(core: int) -> None:
        os.sched_setaffinity(0, {core})
        while command := next(left, None):
            subprocess.run(command, capture_output=True, check=False)

    before, begun = _cpu(), time.perf_counter()
    with ThreadPoolExecutor(len(cores)) as threads:
        list(threads.map(work, cores))
    return Taken(time.perf_counter() - begun, _cpu() - before)


def _cpu() -> float:
    """Of programs that were run here, and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime

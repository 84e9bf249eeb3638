"""Measurement: CPU time of functions and processes, and files in memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

FOLDER = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path(tempfile.gettempdir())
ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
BOARDSAT = str(Path(sys.executable).with_name("boardsat"))
ANSWERS = (0, 10, 20)
"""Exit codes of solvers."""


@dataclass(frozen=True)
class Row:
    """A line of the report."""

    benchmark: str
    ours: str
    theirs: str = "-"
    ratio: str = "-"
    target: str = "-"
    met: bool | None = None

    @property
    def cells(self) -> list[str]:
        met = "-" if self.met is None else "yes" if self.met else "NO"
        return [self.benchmark, self.ours, self.theirs, self.ratio, self.target, met]


@contextmanager
def scratch() -> Iterator[Path]:
    """Yield a folder in memory, and remove it afterwards."""
    with tempfile.TemporaryDirectory(dir=FOLDER, prefix="boardsat-bench-") as folder:
        yield Path(folder)


def best_of(repetitions: int, *jobs: Callable[[], object]) -> list[float]:
    """Return the minimum CPU seconds of each job; jobs alternate after a warm-up run each."""
    best = [float("inf")] * len(jobs)
    for round_number in range(repetitions + 1):
        for index, job in enumerate(jobs):
            begun = time.process_time()
            job()
            seconds = time.process_time() - begun
            if round_number:
                best[index] = min(best[index], seconds)
    return best


@dataclass(frozen=True)
class Process:
    """Resources that a process used."""

    cpu: float
    wall: float
    output: str
    errors: str = ""
    code: int = 0


def answer_of(*arguments: str) -> Process:
    """Run a command of boardsat whose exit code is a status."""
    return process([BOARDSAT, *arguments], ANSWERS)


def process(
    command: Sequence[str],
    good: Collection[int] = (0,),
    prepare: Callable[[], None] | None = None,
    **options: str,
) -> Process:
    """Run a command as a user would: with its bytecode cached and its output buffered."""
    hindering = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    environment = {
        key: value for key, value in os.environ.items() if key not in hindering
    } | options
    usage_before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    outcome = subprocess.run(
        command,
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=prepare,
    )
    wall, usage_after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if outcome.returncode not in good:
        last = (outcome.stderr.strip() or f"exit code {outcome.returncode}").splitlines()[-1]
        raise RuntimeError(f"{Path(command[0]).name}: {last}")
    cpu = (
        usage_after.ru_utime + usage_after.ru_stime - usage_before.ru_utime - usage_before.ru_stime
    )
    return Process(cpu, wall, outcome.stdout, outcome.stderr, outcome.returncode)


def best_process(repetitions: int, command: Sequence[str], target: Path) -> Process:
    """Return the run with the least CPU time, after a warm-up run that compiles bytecode."""
    runs = []
    for _ in range(repetitions + 1):
        # Giving back the pages of an old file would count as work of the new one.
        target.unlink(missing_ok=True)
        runs.append(process(command))
    return min(runs[1:], key=lambda run: run.cpu)


def clauses_digest(path: Path) -> str:
    """Return the hash of the lines after the header."""
    digest = sha256()
    with path.open("rb") as file:
        for line in file:
            if line.startswith(b"p cnf "):
                break
        while piece := file.read(2**20):
            digest.update(piece)
    return digest.hexdigest()

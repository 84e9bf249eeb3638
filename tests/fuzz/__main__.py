"""Fuzz every target in parallel, one per core, and print a summary.

    python -m fuzz --seconds 600            all targets, ten minutes in all
    python -m fuzz --inputs 100000          so many inputs for each
    python -m fuzz dimacs specs --seconds 60

Exit code 1 if there is a fault; its input is in finds/ then, made small.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import TimeoutExpired
from tempfile import TemporaryDirectory
from time import monotonic

from helpers.processes import run

from fuzz.target import FINDS, names
from fuzz.worker import HEAD

HERE = Path(__file__).parent
MEMORY = "/dev/shm"
MAX_SECONDS = 36_000.0
"""Seconds of one worker, where only its inputs are counted."""
GRACE = 120.0
"""Seconds to start, and to make the last fault small."""


@dataclass
class Totals:
    """Totals of the reports of the workers of one target."""

    target: str
    inputs: int = 0
    refused: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    megabytes: float = 0.0
    faults: dict[str, int] = field(default_factory=dict)

    def add(self, report: dict[str, float], faults: dict[str, int]) -> None:
        self.inputs += int(report["inputs"])
        self.refused += int(report["refused"])
        self.seconds += report["seconds"]
        self.slowest = max(self.slowest, report["slowest"])
        self.megabytes = max(self.megabytes, report["megabytes"])
        for fault, times in faults.items():
            self.faults[fault] = self.faults.get(fault, 0) + times


def main() -> int:
    options = parsed()
    cores = os.cpu_count() or 1
    share = options.seconds * min(1.0, cores / len(options.targets))
    print(f"{'target':15} {'inputs':>9} {'refused':>9} {'s':>6} {'slowest s':>9} {'MB':>5}  faults")
    with ThreadPoolExecutor(cores) as pool:
        totals = list(pool.map(lambda target: fuzzed(target, share, options), options.targets))
    num_inputs = sum(total.inputs for total in totals)
    faults = sum(len(total.faults) for total in totals)
    print(f"{num_inputs:,} inputs, {faults or 'no'} fault{'' if faults == 1 else 's'}")
    return 1 if faults else 0


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz")
    parser.add_argument(
        "targets", nargs="*", default=names(), metavar="TARGET", help="default: all"
    )
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--inputs", type=float, default=float("inf"), help="for each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/fuzz"))
    parser.add_argument("--plain", action="store_true", help="not guided by coverage")
    options = parser.parse_args()
    if unknown := set(options.targets) - {*names()}:
        parser.error(f"no target {min(unknown)!r}; choose from: {', '.join(names())}")
    if min(options.seconds, options.inputs) == float("inf"):
        parser.error("give --seconds or --inputs")
    return options


def fuzzed(target: str, seconds: float, options: argparse.Namespace) -> Totals:
    """Fuzz a target with one worker after the other; a fault may end a worker."""
    totals, seed = Totals(target), options.seed
    end = monotonic() + seconds
    while totals.inputs < options.inputs and (seconds_left := end - monotonic()) > 0:
        command = [sys.executable, "-m", "fuzz.worker", target, "--seed", str(seed)]
        command += ["--until", str(end), "--inputs", str(options.inputs - totals.inputs)]
        command += ["--out", str(options.out), *([] if options.plain else ["--guided"])]
        # In memory, and gone with it, whatever the end of the worker.
        with TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
            # A module that is first imported by an input would be written as bytecode.
            environment = {**os.environ, "TMPDIR": folder, "PYTHONDONTWRITEBYTECODE": "1"}
            limit = min(seconds_left, MAX_SECONDS) + GRACE
            one_worker(command, environment, limit, options.out / target, totals)
        seed += 1
    keep(totals, options.out / target / "faults")
    row = f"{target:15} {totals.inputs:9,} {totals.refused:9,} {totals.seconds:6.0f}"
    print(
        f"{row} {totals.slowest:9.2f} {totals.megabytes:5.0f}  {', '.join(totals.faults) or '-'}",
        flush=True,
    )
    return totals


def one_worker(
    command: list[str], environment: dict[str, str], limit: float, out: Path, totals: Totals
) -> None:
    try:
        outcome = run(command, capture_output=True, text=True, timeout=limit, env=environment)
        line = outcome.stdout.strip().rpartition("\n")[2]
        report = json.loads(line) if outcome.returncode == 0 else None
        story = outcome.stderr[-4000:]
    except TimeoutExpired:
        report, story = None, "no sign of life"
    if report is None:
        # Killed, or out of every bound: the input that it died of is still there.
        report = {"inputs": 1, "refused": 0, "seconds": 0, "slowest": 0, "megabytes": 0}
        report["faults"] = {"crash": 1}
        crash(out, story)
    totals.add(report, report.pop("faults"))


def crash(out: Path, story: str) -> None:
    folder = out / "faults"
    folder.mkdir(parents=True, exist_ok=True)
    if (out / "current").exists():
        data = (out / "current").read_bytes()
        size = int.from_bytes(data[:HEAD], "little")
        (folder / "crash").write_bytes(data[HEAD : HEAD + size])
    (folder / "crash.txt").write_text(story)


def keep(totals: Totals, folder: Path) -> None:
    """The inputs that did harm, for the tests."""
    for fault in totals.faults:
        if (folder / fault).exists():
            (FINDS / totals.target).mkdir(parents=True, exist_ok=True)
            (FINDS / totals.target / fault).write_bytes((folder / fault).read_bytes())


if __name__ == "__main__":
    sys.exit(main())

"""Process that fuzzes one or several targets until its time or its inputs are used up.

Guided by coverage, where Atheris is installed: what reaches a new place of boardsat is kept, and
changed further. Without it, the first inputs are changed and nothing is learnt.

    python -m fuzz.worker TARGET... --inputs N --seed K --out FOLDER
"""

from __future__ import annotations

import argparse
import hashlib
import json
import mmap
import os
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from fuzz.mutation import LONGEST

HEAD = 8
"""Bytes before the current input that tell its length."""


def main() -> None:
    options = parsed()
    guide = guided() if options.guided else None
    from fuzz import judging
    from fuzz.target import finds, load

    runs = []
    for name in options.targets:
        inputs = [path.read_bytes() for path in finds(name)]
        runs.append(Run(options, name, load(name), inputs))
    judging.scratch()
    judging.forbid_escapes()
    judging.limit_memory()
    for run in runs:
        if guide is None:
            run.plainly()
        else:
            run.guided_by(guide)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("targets", nargs="+", metavar="TARGET", help="only one, if guided")
    parser.add_argument("--until", type=float, default=float("inf"), help="on the monotonic clock")
    parser.add_argument("--inputs", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--guided", action="store_true")
    return parser.parse_args()


def guided() -> Any:
    """Run Atheris with all modules of boardsat instrumented that are imported from now on."""
    try:
        import atheris
    except ImportError:
        return None
    with atheris.instrument_imports(include=["boardsat"]):
        from fuzz import target

        target.load(sys.argv[1])
    return atheris


class Run:
    """Inputs so far and their results."""

    def __init__(
        self, options: argparse.Namespace, name: str, target: Any, finds: list[bytes]
    ) -> None:
        self.options, self.name, self.target = options, name, target
        self.seeds = [*finds, *target.seeds()]
        self.most = options.inputs + len(finds)
        self.chance = Random(options.seed)
        self.began = time.monotonic()
        self.inputs = self.refused = 0
        self.faults: Counter[str] = Counter()
        self.slowest = 0.0
        self.out: Path = options.out / name
        self.out.mkdir(parents=True, exist_ok=True)
        self.current = _window(self.out / "current")

    def plainly(self) -> None:
        for data in self.seeds:
            self.try_one(data)
        while not self.is_over():
            data = self.chance.choice(self.seeds)
            self.try_one(self.target.changed(data, self.seeds, self.chance))
        self.tell()

    def guided_by(self, atheris: Any) -> None:
        corpus = self.out / "corpus"
        corpus.mkdir(exist_ok=True)
        for data in self.seeds:
            (corpus / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)

        def one(data: bytes) -> None:
            self.try_one(data)
            if self.is_over():
                self.tell()
                os._exit(0)

        def change(data: bytes, longest: int, seed: int) -> bytes:
            chance = Random(seed)
            return bytes(self.target.changed(data, self.seeds, chance)[:longest])

        arguments = [
            sys.argv[0],
            f"-seed={self.options.seed}",
            f"-max_len={LONGEST}",
            "-timeout=60",
        ]
        arguments += ["-rss_limit_mb=0", "-verbosity=0", "-print_final_stats=0", "-len_control=0"]
        arguments += [f"-artifact_prefix={self.out}/", str(corpus)]
        atheris.Setup(arguments, one, custom_mutator=change)
        atheris.Fuzz()

    def is_over(self) -> bool:
        return self.inputs >= self.most or time.monotonic() > self.options.until

    def try_one(self, data: bytes) -> None:
        from fuzz.judging import judged

        self.inputs += 1
        self.current[: HEAD + len(data)] = len(data).to_bytes(HEAD, "little") + data
        begun = time.process_time()
        verdict = judged(self.target, data)
        self.slowest = max(self.slowest, time.process_time() - begun)
        self.refused += verdict.refused
        if verdict.fault:
            self.faults[verdict.fault] += 1
            if self.faults[verdict.fault] == 1:
                self.keep(data, verdict.fault, verdict.story)

    def keep(self, data: bytes, fault: str, story: str) -> None:
        from fuzz.judging import judged
        from fuzz.shrinking import shrunk

        if not self.target.are_valid and "TooLong" not in fault:
            data = shrunk(data, lambda smaller: judged(self.target, smaller).fault == fault)
        folder = self.out / "faults"
        folder.mkdir(exist_ok=True)
        (folder / fault).write_bytes(data)
        (folder / f"{fault}.txt").write_text(story, errors="backslashreplace")

    def tell(self) -> None:
        """Print the report for the parent process, one line of JSON."""
        report = {
            "target": self.name,
            "inputs": self.inputs,
            "refused": self.refused,
            "faults": dict(self.faults),
            "seconds": time.monotonic() - self.began,
            "slowest": self.slowest,
            "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
        print(json.dumps(report), flush=True)


def _window(path: Path) -> mmap.mmap:
    """Return memory shared with the parent process, which can read it after any crash."""
    path.write_bytes(bytes(HEAD + LONGEST))
    with path.open("r+b") as file:
        return mmap.mmap(file.fileno(), 0)


if __name__ == "__main__":
    main()

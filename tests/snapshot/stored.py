"""Results folder and archive of earlier code, which must resume and verify or be refused."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CAMPAIGN = """\
title: Small boards in several encodings
about: Closed knight's tours, and queens that do not attack each other.
authors: [The boardsat project]
date: 2026-11-16
license: CC0-1.0
instances:
  - problem: tour
    encoding: [binary, undirected]
    set: {n: 6}
  - problem: tour
    encoding: binary
    set: {rows: 5, cols: 5, parity: false}
  - problem: queens
    set: {n: [3, 6, 8]}
    shuffle: 1
solvers: [cadical]
counters: [clasp]
limits: {timeout: 60}
"""
FOR_ARCHIVES = ("date:", "license:")
"""Beginnings of lines that only an archive has."""


def store(folder: Path) -> int:
    """Run the campaign into folder/results, and make folder/archive of it."""
    lines = CAMPAIGN.splitlines(keepends=True)
    runs = "".join(line for line in lines if not line.startswith(FOR_ARCHIVES))
    (folder / "runs.yaml").write_text(runs, "utf-8")
    (folder / "archive.yaml").write_text(CAMPAIGN, "utf-8")
    outcomes = [
        _boardsat("run", folder / "runs.yaml", "-o", folder / "results"),
        _boardsat("archive", "create", folder / "archive", folder / "archive.yaml"),
    ]
    for outcome in outcomes:
        print(outcome.stdout + outcome.stderr, end="")
    return 1 if any(outcome.returncode for outcome in outcomes) else 0


def resume(folder: Path) -> int:
    """Go on with copies, and print a line for each; return 1 unless each works or is refused.

    A refusal is one line with exit code 2.
    """
    faults = 0
    with tempfile.TemporaryDirectory(prefix="snapshot-") as scratch:
        copy = Path(scratch, "copy")
        shutil.copytree(folder, copy)
        for name, arguments in {
            "run": ("run", copy / "runs.yaml", "-o", copy / "results"),
            "results": ("results", copy / "results"),
            "verify": ("archive", "verify", copy / "archive"),
        }.items():
            outcome = _boardsat(*arguments)
            is_refused = (
                outcome.returncode == 2 and outcome.stderr.count("\n") == 1 and not outcome.stdout
            )
            # Runs that are done again were lost.
            is_resumed = outcome.returncode == 0 and _is_complete(name, outcome.stdout)
            verdict = "refused" if is_refused else "resumed" if is_resumed else "FAILED"
            faults += not (is_refused or is_resumed)
            text = outcome.stderr if is_refused else outcome.stdout
            print(f"{name}: {verdict}: {text.strip().splitlines()[-1] if text.strip() else ''}")
    return 1 if faults else 0


def _is_complete(name: str, out: str) -> bool:
    if name != "run":
        return True
    counts = re.search(r"(\d+) runs, (\d+) from before", out)
    return counts is not None and counts[1] == counts[2]


def _boardsat(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "boardsat", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )

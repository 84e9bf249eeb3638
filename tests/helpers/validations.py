"""What tests of validation share."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from boardsat.campaign.runner.records import CLOCK, DECIDE, RunRecord
from helpers.solver_runs import (
    boardsat,
)

SOLVERS = ["cadical", "minisat", "enumeration"]
EMBEDDED = ["--runtime", "embedded", "--jobs", 1, "--solvers"]
QUICK = [*EMBEDDED, "cadical,enumeration"]


def solver_file(folder: Path, name: str, script: str) -> str:
    """A solver of one's own: a shell script, whose formula is $1."""
    (folder / f"{name}.sh").write_text(script)
    path = folder / f"{name}.yaml"
    path.write_text(
        f"title: for a test\nprogram: sh\ndialect: competition\ncan: decide\n"
        f'command: "{{{{ program }}}} {folder / name}.sh {{{{ file }}}}"\n'
    )
    return str(path)


RIGHT = f"exec {sys.executable} -m boardsat.adapters.runtimes.workers.pysat minisat22 $1\n"
"""The end of a script that answers as MiniSat does."""


def validated(tmp_path: Path, *words: object):
    """What a validation prints for programs; it takes as long as it takes, unless they say."""
    said = boardsat("validate", "--budget", 0, *words, "--json", "--results", tmp_path / "results")
    assert said.code in (0, 1, 3), said.err
    return said.code, json.loads(said.out)


def stored(tmp_path: Path) -> list[str]:
    return (tmp_path / "results/results.jsonl").read_text().splitlines()


QUEENS = ["queens", "-n", 4, *QUICK]


RECORD = RunRecord(
    key="k",
    problem="tour",
    encoding="unary",
    variant="",
    expected=None,
    formula="f",
    solver="cadical",
    task=DECIDE,
    runtime="native",
    version="1",
    status="SATISFIABLE",
    checked=("model", "board"),
    clock=CLOCK,
)

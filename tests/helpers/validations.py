"""Records, solver files and runs of `boardsat validate`, for tests of validation."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from boardsat.base import json_data
from boardsat.campaign.runner.records import CLOCK, DECIDE, Job, RunRecord, job_from, record_from
from helpers.solver_runs import (
    boardsat,
)

SOLVERS = ["cadical", "minisat", "enumeration"]
EMBEDDED = ["--runtime", "embedded", "--jobs", 1, "--solvers"]
QUICK = [*EMBEDDED, "cadical,enumeration"]


def solver_file(folder: Path, name: str, script: str) -> str:
    """Write a solver file for a shell script, which gets the formula as $1, and return its path."""
    (folder / f"{name}.sh").write_text(script)
    path = folder / f"{name}.yaml"
    path.write_text(
        f"title: for a test\nprogram: sh\ndialect: competition\ncan: decide\n"
        f'command: "{{{{ program }}}} {folder / name}.sh {{{{ file }}}}"\n'
    )
    return str(path)


RIGHT = f"exec {sys.executable} -m boardsat.adapters.workers.pysat minisat22 $1\n"
"""Last line of a script that answers like MiniSat."""


def validated(tmp_path: Path, *arguments: object):
    """Return the exit code and the JSON of a validation, without a budget unless one is given."""
    outcome = boardsat(
        "validate", "--budget", 0, *arguments, "--json", "--results", tmp_path / "results"
    )
    assert outcome.code in (0, 1, 3), outcome.err
    return outcome.code, json.loads(outcome.out)


def stored(tmp_path: Path) -> list[str]:
    return (tmp_path / "results/results.jsonl").read_text().splitlines()


QUEENS = ["queens", "-n", 4, *QUICK]


def record_of(**fields: Any) -> RunRecord:
    """Return a record with fields by the names that they have on disk."""
    return record_from(json.dumps(fields))


def record_with(record: RunRecord, **changes: Any) -> RunRecord:
    """Return the record with changed fields, by their names on disk."""
    return record_of(**(json_data.encode(record) | changes))


def job_with(job: Job, **changes: Any) -> Job:
    """Return the job with changed fields, by their JSON names."""
    return job_from(json.dumps(json_data.encode(job) | changes))


RECORD = record_of(
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
